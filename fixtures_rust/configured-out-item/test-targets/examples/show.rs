#[cfg(feature = "x")]
fn demo() {}

fn main() {
    demo();
    //~^ CFG001 cfg(not(feature = "x"))
}
