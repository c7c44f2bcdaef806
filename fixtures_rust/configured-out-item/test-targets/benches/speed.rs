#[cfg(feature = "x")]
fn measure() {}

#[test]
fn main_loop() {
    measure();
    //~^ CFG001 cfg(not(feature = "x"))
}
