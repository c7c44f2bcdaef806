pub fn plain() {}
#[cfg(feature = "wide")]
pub fn wide() {}
#[cfg(feature = "narrow")]
pub fn narrow() {}
