//! Two modules that glob each other: the fixpoint ends, with the conditions of both.

pub mod a {
    pub use super::b::*;

    #[cfg(feature = "x")]
    pub fn from_a() {}
    pub fn here() {
        from_b();
        //~^ CFG001 cfg(not(feature = "y"))
    }
}

pub mod b {
    pub use super::a::*;

    #[cfg(feature = "y")]
    pub fn from_b() {}
    pub fn there() {
        from_a();
        //~^ CFG001 cfg(not(feature = "x"))
        here();
    }
}

pub fn across() {
    b::from_a();
    //~^ CFG001 cfg(not(feature = "x"))
    a::from_b();
    //~^ CFG001 cfg(not(feature = "y"))
    a::there();
    b::here();
}
