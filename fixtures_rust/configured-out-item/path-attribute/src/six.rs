#[cfg(feature = "a")]
pub fn leaf() {}
#[cfg(feature = "b")]
pub fn other() {
    leaf();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}
