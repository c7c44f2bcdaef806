mod paint;

#[cfg(feature = "color")]
use paint::red;

fn main() {
    red();
    //~^ CFG001 cfg(not(feature = "color"))
}
