#[macro_use]
extern crate logger;

#[test]
fn logs() {
    quiet!();
    log!();
    //~^ CFG011 cfg(not(feature = "log"))
}
