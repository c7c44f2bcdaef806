//! A failed import stands in for the name, so those that are looked at later are not reported again; earlier ones are.

#[cfg(feature = "y")]
pub mod source {
    pub fn f() {}
    pub fn g() {}
    pub mod deep {
        pub fn h() {}
    }
}

/// `first` is decided as soon as `third` is, and before `second`.
pub mod first {
    pub use crate::second::f;
    //~^ CFG001 cfg(not(feature = "y"))
}
pub mod second {
    pub use crate::third::f;
}
pub mod third {
    pub use crate::part::f;
    //~^ CFG001 cfg(not(feature = "y"))
}
pub mod part {
    #[cfg(feature = "y")]
    pub fn f() {}
}

/// Two that name each other: the one that is decided first.
pub mod left {
    #[cfg(feature = "x")]
    pub use crate::right::g;
    #[cfg(not(feature = "x"))]
    pub fn g() {}
}
pub mod right {
    pub use crate::left::g;
    //~^ CFG001 cfg(feature = "x")
}

/// Whose module is not found is never decided, nor is what waits for it: there, the order is that of the source.
pub mod waits {
    pub use crate::given_up::h;
    //~^ CFG001 cfg(not(feature = "y"))
    pub use crate::lost::h as again;
}
pub mod given_up {
    pub use crate::lost::h;
}
pub mod lost {
    pub use crate::source::deep::h;
    //~^ CFG001 cfg(not(feature = "y"))
}

/// A private stand-in is seen by nobody else.
pub mod hidden {
    use crate::source::g;
    //~^ CFG001 cfg(not(feature = "y"))
    pub fn go() {
        g();
    }
}
pub mod other {
    #[cfg(feature = "x")]
    pub use super::hidden::g;
    //~^ CFG012 cfg(feature = "x")
}
