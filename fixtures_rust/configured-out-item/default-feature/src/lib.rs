//! What `default` brings is off in a build without it.

#[cfg(feature = "std")]
pub fn open() {}

pub fn go() {
    open();
    //~^ CFG001 cfg(not(feature = "std"))
}

#[cfg(feature = "default")]
pub fn usual() {
    open();
}

#[cfg(feature = "extra")]
pub fn extra() {
    usual();
    //~^ CFG001 cfg(all(feature = "extra", not(feature = "default")))
}
