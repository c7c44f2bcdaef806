//! `include!` may bring any name: nothing is reported for what the scope might hold.

include!("parts.inc");

#[cfg(feature = "x")]
pub fn only_x() {}

pub fn go() {
    made();
    Part::new();
}

#[cfg(feature = "x")]
pub fn gated() {
    made();
}

pub fn text() -> &'static str {
    include_str!("parts.inc")
}
