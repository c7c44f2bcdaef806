pub fn both() {}
pub fn only_on() {
    super::loud();
    //~^ CFG001 cfg(all(feature = "on", feature = "quiet"))
}
