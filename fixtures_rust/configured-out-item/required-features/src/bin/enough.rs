#[cfg(feature = "color")]
fn paint() {}

fn main() {
    paint();
}
