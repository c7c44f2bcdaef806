//! A feature of one dependency that another dependency turns on.

#[cfg(feature = "stream")]
pub fn stream() {
    codec::stream();
    net::send();
    codec::zip();
    //~^ CFG004 cfg(all(feature = "stream", not(feature = "zip")))
    codec::defaulted();
    //~^ CFG004 cfg(feature = "stream")
}

pub fn always() {
    codec::encode();
    codec::stream();
    //~^ CFG004 cfg(not(any(feature = "stream", feature = "deep")))
}

#[cfg(feature = "zip")]
pub fn zip() {
    codec::zip();
    //~^ CFG004 cfg(all(feature = "zip", not(any(feature = "stream", feature = "deep"))))
}

#[cfg(feature = "deep")]
pub fn deep() {
    codec::level_two();
    codec::level_one();
    net::send();
}
