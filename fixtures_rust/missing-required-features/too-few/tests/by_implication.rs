use too_few::{json, yaml};

#[test]
fn both() {
    json::parse();
    yaml::parse();
}
