//! Closed lists of platforms: one is left out, one is in two of them, one only with a feature.

#[cfg(any(target_os = "linux", target_os = "android", target_os = "macos", target_vendor = "apple"))]
mod time {
    pub fn now() {}
}
#[cfg(target_os = "windows")]
mod time {
    pub fn now() {}
    pub fn ticks() {}
}

pub fn now() {
    time::now();
    //~^ CFG001 cfg(not(any(target_os = "linux", target_os = "windows")))
}

#[cfg(target_os = "windows")]
pub fn ticks() {
    time::ticks();
}

#[cfg(target_pointer_width = "64")]
pub fn wide() {
    time::now();
    narrow::only();
    //~^ CFG001 cfg(not(target_arch = "wasm32"))
}

#[cfg(not(target_arch = "x86_64"))]
mod narrow {
    pub fn only() {}
}

#[cfg(not(target_arch = "wasm32"))]
pub mod sockets {
    #[cfg(unix)]
    pub fn poll() {}
    #[cfg(all(windows, feature = "net"))]
    pub fn poll() {}

    pub fn go() {
        poll();
        //~^ CFG001 cfg(all(windows, not(feature = "net")))
    }
}

#[cfg(any(target_family = "wasm", feature = "net"))]
pub fn either() {
    crate::sockets::go();
    //~^ CFG001 cfg(target_arch = "wasm32")
}

#[cfg(all(target_env = "msvc", target_os = "linux"))]
pub fn on_no_target() {
    crate::nothing();
}

#[cfg(target_os = "linux")]
pub fn same_by_another_name() {
    #[cfg(unix)]
    sockets::poll();
    #[cfg(not(unix))]
    nothing();
}
