#[cfg(feature = "log")]
#[macro_export]
macro_rules! log {
    () => {
        $crate::always()
    };
}

#[macro_export]
macro_rules! quiet {
    () => {
        $crate::always()
    };
}

#[macro_export]
macro_rules! deep {
    () => {
        $crate::deep()
    };
}
