//! Options that the build script of a dependency sets: they follow its features, not those of this package.

pub fn go() {
    codec::always_set();
    codec::text();
    codec::vectors();
    //~^ CFG004 cfg(not(feature = "simd"))
    codec::sockets();
    //~^ CFG004 cfg(windows)
    codec::probed();
}

#[cfg(feature = "simd")]
pub fn simd() {
    codec::vectors();
}

#[cfg(target_os = "linux")]
pub use codec::sockets;

#[cfg(feature = "zip")]
pub fn zip() {
    codec::zip();
    //~^ CFG004 cfg(feature = "zip")
}
