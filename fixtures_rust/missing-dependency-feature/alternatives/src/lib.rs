//! What the dependency has under one feature or another, and what a feature takes away.

pub fn covered() {
    io::open();
    io::imp::read();
    io::Fallback::default();
}

pub fn taken_away() {
    io::large();
    //~^ CFG004 cfg(feature = "tiny")
}

#[cfg(not(feature = "tiny"))]
pub fn still_there() {
    io::large();
}

pub fn private_without_it() {
    io::listen();
    //~^ CFG004 cfg(not(feature = "net"))
}

pub fn only_one_has_it() {
    io::imp::flush();
    //~^ CFG004 cfg(not(feature = "net"))
}

#[cfg(any(feature = "net", feature = "sync"))]
pub fn either() {
    io::either();
    io::both();
    //~^ CFG004 cfg(any(all(feature = "net", not(feature = "sync")), all(feature = "sync", not(feature = "net"))))
}

#[cfg(feature = "x")]
pub fn own_stand_in() {
    #[cfg(not(feature = "net"))]
    mod io {
        pub fn listen() {}
    }
    #[cfg(feature = "net")]
    use io::listen;
    #[cfg(feature = "net")]
    listen();
    #[cfg(not(feature = "net"))]
    io::listen();
}

pub fn gated_by_cfg_macro() {
    if cfg!(feature = "net") {
        io::listen();
        //~^ CFG004 cfg(not(feature = "net"))
    }
}
