//! `cfg_select!` without an arm for every build.

cfg_select! {
//~^ CFG014 cfg(not(any(feature = "a", feature = "b")))
    feature = "a" => {
        pub fn go() {}
    }
    feature = "b" => {
        pub fn go() {}
    }
}

#[cfg(feature = "x")]
pub fn statement() {
    cfg_select! {
    //~^ CFG014 cfg(all(feature = "x", not(feature = "a")))
        feature = "a" => { go(); }
    }
}

pub fn expression() -> u8 {
    cfg_select! {
    //~^ CFG014 cfg(all(feature = "a", feature = "b"))
        not(feature = "a") => 1,
        not(feature = "b") => 2,
    }
}
