//! No `mod orphan;` anywhere.
pub fn never() {
    crate::nothing::at_all();
}
