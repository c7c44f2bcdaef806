#[macro_export]
macro_rules! quiet {
    () => {};
}
#[cfg(feature = "log")]
#[macro_export]
macro_rules! log {
    () => {};
}
