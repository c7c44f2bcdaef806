//! `extern crate self as ..` gives the crate a name in its own paths.

extern crate self as engine;

#[cfg(feature = "a")]
pub mod wheel {
    pub fn turn() {}
}

pub fn go() {
    engine::wheel::turn();
    //~^ CFG001 cfg(not(feature = "a"))
    ::engine::go();
}

pub mod child {
    use engine::wheel;
    //~^ CFG001 cfg(not(feature = "a"))
}
