//! A private import hides from others what it would have to get through them.

pub mod source {
    pub fn f() {}
}

pub mod home {
    #[cfg(feature = "x")]
    use crate::window::f;
    //~^ CFG001 cfg(feature = "x")
    pub use crate::source::*;
}

pub mod window {
    pub use crate::home::*;
}

pub fn go() {
    home::f();
    window::f();
}
