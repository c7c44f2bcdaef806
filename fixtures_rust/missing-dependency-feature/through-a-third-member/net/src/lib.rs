//! Turns on `stream` always and `zip` under a feature of its own.

pub fn send() {
    codec::stream();
    codec::zip();
    //~^ CFG004 cfg(not(feature = "zip"))
}

#[cfg(feature = "default")]
pub fn defaulted() {
    codec::defaulted();
}
