#[cfg(feature = "module")]
pub mod interrupt;
