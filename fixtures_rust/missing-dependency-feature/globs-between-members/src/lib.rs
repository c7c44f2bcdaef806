//! Globs of two packages, one of which may supply what the other lacks.

pub mod both {
    pub use left::*;
    pub use right::*;
}

pub fn go() {
    both::only_left();
    both::only_right();
    both::from_either();
    //~^ CFG004 cfg(not(any(feature = "json", feature = "yaml")))
    both::json();
    //~^ CFG004 cfg(not(feature = "json"))
}

#[cfg(all(feature = "yaml", not(feature = "json")))]
pub fn from_the_right() {
    both::from_either();
}

pub mod fallback {
    pub use left::*;

    #[cfg(not(feature = "json"))]
    pub fn json() {}

    #[cfg(feature = "x")]
    pub fn go() {
        json();
    }
}

pub mod variants {
    use left::Kind::*;

    pub fn plain() -> left::Kind {
        Plain
    }

    pub fn json() -> left::Kind {
        Json
        //~^ CFG006 cfg(not(feature = "json"))
    }
}

pub mod aliases {
    pub extern crate left as gauche;
    pub use gauche as again;
    use again::{self as renamed, deep as deeper};

    pub fn go() {
        renamed::only_left();
        deeper::here();
        deeper::gated();
        //~^ CFG004 cfg(not(feature = "json"))
        super::aliases::gauche::deep::gated();
        //~^ CFG004 cfg(not(feature = "json"))
        self::again::deep::very::gated();
        //~^ CFG004 cfg(not(feature = "json"))
    }
}

pub fn in_blocks() {
    {
        use left::deep::*;
        here();
        gated();
        //~^ CFG004 cfg(not(feature = "json"))
    }
    {
        use left::deep::*;
        fn gated() {}
        gated();
    }
}
