#[path = "../imp.rs"]
pub mod imp;

#[cfg(feature = "check")]
pub fn tune() {}
