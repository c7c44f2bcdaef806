//! Options that follow the target.

#[cfg(is_linux)]
pub fn linux() {}
#[cfg(epoll)]
pub fn epoll() {}
#[cfg(on_unix)]
pub fn on_unix() {}
#[cfg(wide)]
pub fn wide() {}
#[cfg(host)]
pub fn of_the_host() {}

pub fn go() {
    linux();
    //~^ CFG001 cfg(not(target_os = "linux"))
    on_unix();
    //~^ CFG001 cfg(not(unix))
    wide();
    //~^ CFG001 cfg(not(target_pointer_width = "64"))
    of_the_host();
}

#[cfg(all(target_os = "linux", target_pointer_width = "64"))]
pub fn gated() {
    linux();
    epoll();
    on_unix();
    wide();
}

#[cfg(windows)]
pub fn on_windows() {
    epoll();
    //~^ CFG001 cfg(windows)
}

#[cfg(is_linux)]
pub fn implied() {
    epoll();
    on_unix();
}
