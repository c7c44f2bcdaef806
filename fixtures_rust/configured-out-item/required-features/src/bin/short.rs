#[cfg(feature = "color")]
fn paint() {}
#[cfg(feature = "net")]
fn connect() {}

fn main() {
    paint();
    connect();
    //~^ CFG001 cfg(all(feature = "color", not(feature = "net")))
}
