//! `r#name` and `name` are one name; a raw module has a plain file.

pub mod r#async;

#[cfg(feature = "x")]
pub fn r#try() {}
#[cfg(feature = "x")]
pub fn plain() {}

pub fn go() {
    r#try();
    //~^ CFG001 cfg(not(feature = "x"))
    crate::r#try();
    //~^ CFG001 cfg(not(feature = "x"))
    r#plain();
    //~^ CFG001 cfg(not(feature = "x"))
    r#async::r#await();
}
