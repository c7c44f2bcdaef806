#[cfg(feature = "a")]
pub fn gated() {}
pub fn caller() {
    gated();
    //~^ CFG001 cfg(not(feature = "a"))
}
