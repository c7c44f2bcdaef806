#[cfg(feature = "runtime")]
pub fn runtime() {}
#[cfg(feature = "codegen")]
pub fn codegen() {}
#[cfg(feature = "deep")]
pub fn deep() {}
#[cfg(feature = "registry")]
pub fn registry() {}
#[cfg(feature = "testing")]
pub fn testing() {}
