//! Gate macros inside functions and impl blocks.

macro_rules! cfg_a {
    ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* };
}

macro_rules! if_b {
    ($($statement:stmt;)*) => { $( #[cfg(feature = "b")] $statement; )* };
}

pub fn go() {
    cfg_a! {
        use std::mem::drop as discard;
        fn local() {}
    }
    local();
    //~^ CFG001 cfg(not(feature = "a"))
    discard(1);
    //~^ CFG001 cfg(not(feature = "a"))
}

#[cfg(feature = "b")]
fn only_b() {}

pub fn statements() {
    if_b! {
        only_b();
        let _ = 1;
    }
}
