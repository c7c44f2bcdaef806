//! A `#[cfg]` in the body of an exported macro is about the crate that calls it; `$crate` leads into the other.

pub fn traced() {}

#[cfg(feature = "trace")]
pub fn only_traced() {}

tools::declare!(first);

pub fn uses_what_the_macro_makes() {
    first();
}

tools::declare_if_traced!(second);

pub fn uses_what_the_macro_may_make() {
    second();
    //~^ CFG001 cfg(not(feature = "trace"))
}

pub fn calls() {
    tools::quiet!();
    tools::record!();
    //~^ CFG004 cfg(not(feature = "log"))
    tools::log!();
    //~^ CFG004 cfg(not(feature = "log"))
    tools::in_both!();
    //~^ CFG004 cfg(all(feature = "trace", not(feature = "deep")))
}

#[cfg(feature = "log")]
pub fn logs() {
    tools::record!();
    tools::log!();
}

#[cfg(feature = "trace")]
pub mod with_use {
    use tools::{log, record};
    //~^ CFG004 cfg(all(feature = "trace", not(feature = "log")))

    #[cfg(feature = "log")]
    pub fn go() {
        log!();
        record!();
    }
}

#[cfg(feature = "log")]
tools::declare_logged!(third);

#[cfg(feature = "log")]
pub fn uses_what_a_gated_macro_may_make() {
    third();
    //~^ CFG001 cfg(all(feature = "log", not(feature = "trace")))
}

#[cfg(feature = "deep")]
pub mod bare {
    tools::declare_logged!(fourth);
    //~^ CFG004 cfg(all(feature = "deep", not(feature = "log")))

    pub fn go() {
        fourth();
        //~^ CFG004 cfg(all(feature = "deep", not(all(feature = "log", feature = "trace"))))
    }
}
