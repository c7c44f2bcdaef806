//! Gate macros inside gate macros, called from gated modules: conditions multiply.

macro_rules! cfg_a {
    ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* };
}

macro_rules! cfg_a_and_b {
    ($($item:item)*) => {
        cfg_a! {
            $( #[cfg(feature = "b")] $item )*
        }
    };
}

macro_rules! cfg_not_a {
    ($($item:item)*) => { $( #[cfg(not(feature = "a"))] $item )* };
}

cfg_a! {
    cfg_a_and_b! {
        pub fn deep() {}
    }
    pub mod inner {
        #[cfg(feature = "c")]
        pub fn leaf() {}
    }
}

cfg_not_a! {
    pub fn other() {
        deep();
        //~^ CFG001 cfg(not(feature = "a"))
    }
}

#[cfg(feature = "c")]
pub mod user {
    cfg_a! {
        pub fn go() {
            super::deep();
            //~^ CFG001 cfg(all(feature = "a", feature = "c", not(feature = "b")))
            super::inner::leaf();
        }
    }
}
