pub fn from_gated() {
    only_x();
    above!();
}
