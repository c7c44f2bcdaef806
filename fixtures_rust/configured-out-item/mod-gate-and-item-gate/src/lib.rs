//! The gate of a module counts for all below it, references and definitions alike.

#[cfg(feature = "a")]
pub mod outer {
    pub mod inner {
        #[cfg(feature = "b")]
        pub fn leaf() {}

        pub fn caller() {
            leaf();
            //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
            crate::base();
        }
    }
}

pub fn base() {
    outer::inner::leaf();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "b")))
}

#[cfg(feature = "b")]
pub fn with_b() {
    outer::inner::leaf();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}
