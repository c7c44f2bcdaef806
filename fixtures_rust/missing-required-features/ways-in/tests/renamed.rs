extern crate way as w;

#[test]
fn size() {
    assert_eq!(w::deep::down::SIZE, 1);
    //~^ CFG011 cfg(not(feature = "x"))
}
