//! `pub(crate) use name;` gives a macro a path; the import may be gated.

#[allow(unused_macros)]
macro_rules! trace {
    () => {};
}
#[cfg(feature = "log")]
pub(crate) use trace;

#[cfg(feature = "log")]
pub(crate) use trace as traced;

pub mod user {
    pub fn by_path() {
        crate::traced!();
        //~^ CFG002 cfg(not(feature = "log"))
    }

    #[cfg(feature = "x")]
    pub fn by_glob() {
        use crate::*;
        traced!();
        //~^ CFG002 cfg(all(feature = "x", not(feature = "log")))
        trace!();
    }
}
