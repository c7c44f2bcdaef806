//! Paths in a macro's body are resolved where it is expanded, under the condition of that call.

#[cfg(feature = "log")]
pub mod sink {
    pub fn write(_: &str) {}
}

#[macro_export]
macro_rules! record {
    ($text:expr) => {
        $crate::sink::write($text)
        //~^ CFG001 cfg(all(feature = "x", not(feature = "log")))
    };
}

macro_rules! silent {
    ($text:expr) => {
        $crate::sink::write($text)
    };
}

#[cfg(feature = "x")]
pub fn with_x() {
    record!("x");
}

#[cfg(feature = "log")]
pub fn with_log() {
    record!("log");
    silent!("log");
}
