#[test]
fn prints() {
    too_few::print();
    //~^ CFG011 cfg(not(feature = "std"))
}
