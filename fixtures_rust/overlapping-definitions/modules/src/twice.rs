pub fn f() {}
#[cfg(feature = "alloc")]
pub fn f() {}
//~^ CFG010 cfg(feature = "alloc")
