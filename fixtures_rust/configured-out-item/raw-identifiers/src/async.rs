pub fn r#await() {
    super::r#try();
    //~^ CFG001 cfg(not(feature = "x"))
}
