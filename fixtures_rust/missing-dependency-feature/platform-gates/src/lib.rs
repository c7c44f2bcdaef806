//! Items of a dependency that some platforms do not have, whatever its features.

pub fn go() {
    sys::open();
    //~^ CFG004 cfg(not(any(unix, windows)))
    sys::poll();
    //~^ CFG004 cfg(not(all(unix, feature = "net")))
}

#[cfg(unix)]
pub fn on_unix() {
    sys::open();
    sys::poll();
    //~^ CFG004 cfg(all(unix, not(feature = "net")))
}

#[cfg(all(feature = "net", target_os = "linux"))]
pub fn on_linux() {
    sys::poll();
}

#[cfg(not(target_family = "wasm"))]
pub use sys::open;
