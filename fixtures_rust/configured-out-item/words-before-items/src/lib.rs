//! A gate macro that is told by a word in front of the items what to do with them.

macro_rules! switch {
    (on $($item:item)*) => { $( #[cfg(feature = "x")] $item )* };
    (off $($item:item)*) => { switch! { @not $($item)* } };
    (@not $($item:item)*) => { $( #[cfg(not(feature = "x"))] $item )* };
}

switch! { on
    /// Documented.
    #[derive(Clone)]
    pub struct Device;

    pub mod kernels {
        pub use super::*;
        pub fn launch() {
            let _ = (Device, super::Device, crate::kernels::kernels::Device);
            super::fallback();
            //~^ CFG001 cfg(feature = "x")
        }
    }
}

switch! { off
    pub fn fallback() {}
}

macro_rules! swallowed {
    ($($token:tt)*) => {};
}

swallowed! { 1 + 1;
    mod nowhere {
        fn go() { super::super::undefined::go(); }
    }
}

pub fn go() {
    kernels::launch();
    //~^ CFG001 cfg(not(feature = "x"))
    fallback();
    //~^ CFG001 cfg(feature = "x")
}
