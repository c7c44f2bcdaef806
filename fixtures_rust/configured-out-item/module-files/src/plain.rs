#[cfg(feature = "b")]
pub mod child;
