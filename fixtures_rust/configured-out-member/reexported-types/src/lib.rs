//! The type is reached through re-exports and aliases; its gated members are the same.

mod inner {
    pub struct Engine;
    impl Engine {
        #[cfg(feature = "x")]
        pub fn start() {}
    }
    pub enum Kind {
        Slow,
        #[cfg(feature = "x")]
        Fast,
    }
}

pub mod api {
    pub use crate::inner::*;
    pub type Motor = Engine;
}

pub fn go() {
    api::Engine::start();
    //~^ CFG006 cfg(not(feature = "x"))
    api::Motor::start();
    //~^ CFG006 cfg(not(feature = "x"))
    let _ = api::Kind::Slow;
    let _ = api::Kind::Fast;
    //~^ CFG006 cfg(not(feature = "x"))
}
