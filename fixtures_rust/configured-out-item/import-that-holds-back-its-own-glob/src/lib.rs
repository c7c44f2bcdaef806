//! While a named import may still declare its name, globs do not hand that name on: an import can wait for itself.

pub mod source {
    pub fn f() {}
    pub struct Both;
}

pub mod home {
    #[cfg(feature = "x")]
    pub use crate::window::f;
    //~^ CFG001 cfg(feature = "x")
    pub use crate::source::*;
    #[cfg(feature = "x")]
    pub use crate::window::Both as Renamed;
}

pub mod window {
    pub use crate::home::*;
}

/// Here the import names its own module: then it sees what the glob has brought.
pub mod direct {
    #[cfg(feature = "x")]
    pub use self::f;
    #[cfg(feature = "x")]
    pub use super::direct::Both;
    pub use crate::source::*;
}

/// Another import of the name decides: nobody waits for a circle.
pub mod around {
    pub use crate::source::f;
    #[cfg(feature = "x")]
    pub mod inner {
        pub use super::*;
        pub use super::f;
    }
    #[cfg(feature = "x")]
    pub use self::inner::*;
}

/// Once the import is given up, the globs hand the name on: only the import fails.
pub mod closed {
    #[cfg(feature = "x")]
    use self::inner::f;
    //~^ CFG001 cfg(feature = "x")
    pub use crate::source::*;
    pub mod inner {
        pub use super::*;
    }
}

pub fn go() {
    closed::f();
    closed::inner::f();
    home::f();
    window::f();
    direct::f();
    around::f();
    #[cfg(feature = "x")]
    around::inner::f();
}
