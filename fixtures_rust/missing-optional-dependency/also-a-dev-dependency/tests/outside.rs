#[test]
#[cfg(feature = "codec")]
fn go() {
    codec::encode();
}
