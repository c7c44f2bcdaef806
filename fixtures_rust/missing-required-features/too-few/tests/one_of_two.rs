use too_few::json;
use too_few::yaml;
//~^ CFG011 cfg(all(feature = "json", not(feature = "yaml")))

#[test]
fn both() {
    json::parse();
    yaml::parse();
}
