//! What the body of the macro names is in the library, too.

#[test]
fn deep() {
    logger::deep!();
    //~^ CFG011 cfg(not(feature = "deep"))
}
