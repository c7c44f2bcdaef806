//! A feature that implies another covers it: nothing fails.

#[cfg(feature = "grad")]
pub mod grad {
    pub fn back() {
        super::base();
    }
}

#[cfg(feature = "core")]
fn base() {}

#[cfg(feature = "gpu")]
pub fn launch() {
    grad::back();
    base();
}

#[cfg(feature = "full")]
pub fn everything() {
    launch();
}

#[cfg(feature = "default")]
pub fn by_default() {
    launch();
}
