use logger::{log, quiet};
//~^ CFG011 cfg(not(feature = "log"))

#[test]
fn logs() {
    log!();
    quiet!();
}
