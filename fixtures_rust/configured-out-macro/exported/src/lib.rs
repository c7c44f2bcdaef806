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

macro_rules! gated {
    ($($item:item)*) => { $( #[cfg(feature = "x")] $item )* };
}
gated! {
    /// The gate macro adds a gate, and nothing else.
    #[allow(unused)]
    macro_rules! local {
        () => {};
    }
}

macro_rules! public {
    ($($item:item)*) => { $( #[cfg(feature = "x")] #[macro_export] $item )* };
}

#[cfg(feature = "x")]
pub mod elsewhere {
    pub fn go() {
        local!();
        crate::local!();
        //~^ CFG012 cfg(feature = "x")
    }
}
