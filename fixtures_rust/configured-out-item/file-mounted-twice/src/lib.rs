//! One file, two modules under different gates: each mount has its own surroundings.

#[cfg(feature = "fast")]
pub mod fast;

#[cfg(feature = "safe")]
pub mod safe;

#[cfg(all(feature = "fast", feature = "safe"))]
pub fn go() {
    fast::imp::run();
    safe::imp::run();
}
