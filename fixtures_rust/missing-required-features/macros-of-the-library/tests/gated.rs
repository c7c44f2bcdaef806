#[cfg(feature = "log")]
#[test]
fn logs() {
    logger::log!();
}
