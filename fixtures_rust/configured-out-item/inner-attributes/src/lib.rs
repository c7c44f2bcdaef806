//! `#![cfg]` at the top of a module, a file, a function, a block and an impl.

pub mod inline {
    #![cfg(feature = "a")]
    pub fn go() {}
}

pub mod file;

pub fn function() {
    #![cfg(feature = "b")]
    inline::go();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
    file::go();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}

pub struct Own;

impl Own {
    #![cfg(feature = "b")]
    pub fn new() -> Own {
        inline::go();
        //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
        Own
    }
}

pub fn ungated() {
    file::go();
    //~^ CFG001 cfg(not(feature = "a"))
    function();
    //~^ CFG001 cfg(not(feature = "b"))
}
