pub fn go() {
    super::plain::child::leaf();
    //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
}
