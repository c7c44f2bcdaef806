#[path = "../imp.rs"]
pub mod imp;

pub fn tune() {}
