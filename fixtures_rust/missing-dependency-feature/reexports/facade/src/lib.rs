//! A glob, a crate, a module of it, and named re-exports.

pub use cores;
pub use cores::*;
pub mod named {
    pub use cores::*;
}
pub mod prelude {
    pub use crate::named::*;
}

#[cfg(feature = "full")]
pub use cores::tune as only_full;

#[cfg(feature = "full")]
pub mod hidden {
    pub use cores::*;
}
#[cfg(feature = "full")]
pub use hidden::full_launch;
//~^ CFG004 cfg(feature = "full")

#[cfg(feature = "zip")]
pub use zip;
