#[cfg(feature = "b")]
pub fn go() {
    one!();
    //~^ CFG002 cfg(all(feature = "b", not(feature = "a")))
    two!();
    three!();
}
