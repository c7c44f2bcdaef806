//! A dependency that a patch replaces by one on disk.

pub fn go() {
    codec::text();
    codec::fast();
    //~^ CFG004 cfg(not(feature = "fast"))
}

#[cfg(feature = "fast")]
pub fn fast() {
    codec::fast();
}
