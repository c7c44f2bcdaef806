#[cfg(feature = "color")]
fn paint() {}

fn main() {
    paint();
    //~^ CFG001 cfg(not(feature = "color"))
}
