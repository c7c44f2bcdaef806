//! `default` is a feature like others: `--no-default-features` breaks this one.

#[test]
fn prints() {
    too_few::json::parse();
    too_few::yaml::parse();
    too_few::print();
    //~^ CFG011 cfg(all(feature = "json", feature = "yaml", not(feature = "std")))
}
