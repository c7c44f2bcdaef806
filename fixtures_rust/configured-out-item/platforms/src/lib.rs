//! Two platforms, and a third that has neither module.

#[cfg(unix)]
#[path = "unix.rs"]
mod sys;
#[cfg(windows)]
#[path = "windows.rs"]
mod sys;

pub fn go() {
    sys::open();
    //~^ CFG001 cfg(not(any(unix, windows)))
}

#[cfg(any(unix, windows))]
pub fn covered() {
    sys::open();
}

#[cfg(all(feature = "net", not(target_family = "wasm")))]
pub fn connect() {
    sys::open();
    sys::poll();
    //~^ CFG001 cfg(all(feature = "net", windows))
}

#[cfg(target_os = "windows")]
pub fn same_target_by_another_name() {
    sys::handle();
}

#[cfg(all(unix, windows))]
pub fn on_no_target() {
    nothing();
}
