#[cfg(feature = "a")]
pub fn gated() {}

#[cfg(
    all(
        feature = "b",
    )
)]
pub fn caller() {
    let _ = "one
two";
    gated();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}
