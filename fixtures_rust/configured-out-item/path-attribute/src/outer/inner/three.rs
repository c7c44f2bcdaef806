#[cfg(feature = "a")]
pub fn leaf() {
    super::super::second::leaf();
}
