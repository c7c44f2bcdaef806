#[cfg(feature = "runtime")]
pub fn runtime() {}
#[cfg(feature = "codegen")]
pub fn codegen() {}
#[cfg(feature = "deep")]
pub fn deep() {}
