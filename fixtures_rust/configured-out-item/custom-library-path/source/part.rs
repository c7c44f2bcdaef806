pub fn go() {
    crate::gated();
    //~^ CFG001 cfg(not(feature = "x"))
}
