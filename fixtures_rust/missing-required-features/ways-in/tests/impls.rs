struct Own;
impl way::Reads for Own {}
//~^ CFG011 cfg(not(feature = "x"))

#[test]
fn reads() {
    let _ = (Own, way::Plain);
}
