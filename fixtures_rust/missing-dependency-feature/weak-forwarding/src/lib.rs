//! `d/f` enables an optional dependency, `d?/f` does not; `dep:` hides the feature of its name.

#[cfg(feature = "wire")]
pub fn wire() {
    codec::encode();
    codec::fast();
    //~^ CFG004 cfg(all(feature = "wire", not(feature = "fast")))
    codec::slow();
    //~^ CFG004 cfg(all(feature = "wire", not(feature = "slow")))
}

#[cfg(feature = "fast")]
pub fn fast() {
    codec::fast();
    //~^ CFG003 cfg(all(feature = "fast", not(any(feature = "wire", feature = "slow", feature = "json"))))
}

#[cfg(feature = "slow")]
pub fn slow() {
    codec::slow();
}

#[cfg(feature = "json")]
pub fn json() {
    codec::json();
}

#[cfg(all(feature = "fast", feature = "wire"))]
pub fn both() {
    codec::fast();
}

#[cfg(feature = "text")]
pub fn text() {
    tables::text();
}

#[cfg(feature = "tables")]
pub fn only_the_crate() {
    tables::text();
    //~^ CFG004 cfg(all(feature = "tables", not(feature = "text")))
    tables::brief();
    //~^ CFG004 cfg(all(feature = "tables", not(feature = "brief")))
}

#[cfg(feature = "brief")]
pub fn brief() {
    #[cfg(feature = "tables")]
    tables::brief();
}
