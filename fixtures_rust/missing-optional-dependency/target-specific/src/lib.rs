//! A dependency of some targets, used on all.

pub fn go() {
    registry::open();
    //~^ CFG003 cfg(not(windows))
}

#[cfg(windows)]
pub fn gated() {
    registry::open();
}

#[cfg(unix)]
pub fn same_targets() {
    signals::wait();
}
