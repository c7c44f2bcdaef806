//! A binary at a path of its own; with `autobins = false` a stray file in `src/bin` is no target.

mod deep;

#[cfg(feature = "x")]
fn gated() {}

fn main() {
    deep::go();
}
