//! A macro of another crate may make what is not spelled at the call, and imports hand it on.

mod chip;
#[cfg(feature = "part")]
pub mod part;
pub use chip::interrupt;
