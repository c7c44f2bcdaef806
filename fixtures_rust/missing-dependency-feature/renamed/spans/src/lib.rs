#[cfg(feature = "events")]
pub fn event() {}
#[cfg(feature = "spans")]
pub fn span() {}
