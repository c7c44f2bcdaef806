#[cfg(feature = "b")]
macro_rules! two {
    () => {};
}
