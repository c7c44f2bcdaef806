#[cfg(feature = "x")]
use harness as h;

fn main() {
    #[cfg(feature = "x")]
    h::set_up();
    harness::set_up();
}
