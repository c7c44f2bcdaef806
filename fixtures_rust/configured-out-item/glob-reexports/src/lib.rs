//! Names through chains of globs, some of them gated.

mod inner {
    pub fn plain() {}
    #[cfg(feature = "a")]
    pub fn gated() {}
}

mod prelude {
    #[cfg(feature = "b")]
    pub use crate::inner::*;
}

pub mod api {
    pub use crate::prelude::*;
}

pub fn through_two_globs() {
    api::plain();
    //~^ CFG001 cfg(not(feature = "b"))
    api::gated();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "b")))
}

pub fn by_a_local_glob() {
    use crate::inner::*;
    plain();
    gated();
    //~^ CFG001 cfg(not(feature = "a"))
}

pub mod importer {
    use crate::api::plain;
    //~^ CFG001 cfg(not(feature = "b"))
}
