#[cfg(feature = "by-default")]
pub fn by_default() {}
#[cfg(feature = "implied")]
pub fn implied() {}
#[cfg(feature = "extra")]
pub fn extra() {}
