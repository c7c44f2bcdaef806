#[test]
fn logs() {
    logger::quiet!();
    logger::log!();
    //~^ CFG011 cfg(not(feature = "log"))
}
