mod part;

fn main() {
    part::go();
    //~^ CFG001 cfg(not(feature = "cli"))
}
