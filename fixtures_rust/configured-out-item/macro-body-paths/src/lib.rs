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

/// What is private may be named by a macro where the call may name it.
pub mod closed {
    fn hidden() {}
    #[cfg(feature = "log")]
    fn logged() {}

    macro_rules! knock {
        () => {{
            $crate::closed::hidden();
            crate::closed::logged();
            //~^ CFG001 cfg(all(feature = "x", not(feature = "log")))
        }};
    }

    #[cfg(feature = "x")]
    pub fn with_x() {
        knock!();
    }
}
