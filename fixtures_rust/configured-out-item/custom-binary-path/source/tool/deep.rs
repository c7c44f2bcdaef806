pub fn go() {
    super::gated();
    //~^ CFG001 cfg(not(feature = "x"))
}
