pub fn set_up() {}
#[cfg(feature = "full")]
pub fn tear_down() {}
