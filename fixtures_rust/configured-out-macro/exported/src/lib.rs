//! `#[macro_export]` puts a macro at the crate root, wherever it is written.

pub mod deep {
    pub mod down {
        #[cfg(feature = "log")]
        #[macro_export]
        macro_rules! record {
            () => {};
        }
    }
}

pub fn by_path() {
    crate::record!();
    //~^ CFG002 cfg(not(feature = "log"))
}

pub mod user {
    #[cfg(feature = "x")]
    pub fn go() {
        use crate::record;
        //~^ CFG002 cfg(all(feature = "x", not(feature = "log")))
        record!();
    }
}
