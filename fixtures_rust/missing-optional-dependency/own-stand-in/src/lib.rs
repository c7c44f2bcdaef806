//! A module of the package stands in for the crate where that is off: nothing fails.

#[cfg(not(feature = "log"))]
mod log {
    pub fn info() {}
}

pub fn go() {
    log::info();
}
