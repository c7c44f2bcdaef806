pub fn only_right() {}
#[cfg(feature = "yaml")]
#[path = "yaml.rs"]
mod imp;
#[cfg(feature = "yaml")]
pub use imp::*;
