//! What is missing is said once, where the path names it, also for a `self` further down.

#[cfg(feature = "x")]
pub mod a {
    pub mod b {
        pub mod c {
            pub struct D;
        }
    }
}

pub mod user {
    pub use crate::a::b::c::{
        //~^ CFG001 cfg(not(feature = "x"))
        self, D,
    };
}
