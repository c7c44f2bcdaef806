//! Code that no build contains may name what it likes.

#[cfg(any())]
mod gone {
    use crate::nothing::Of;
    pub fn f() {
        super::g();
    }
}

#[cfg(false)]
pub fn never() {
    gone::f();
}

#[cfg(all(feature = "a", not(feature = "a")))]
pub fn contradiction() {
    gated_on_b();
}

#[cfg(not(feature = "a"))]
pub fn gated_on_b() {}
