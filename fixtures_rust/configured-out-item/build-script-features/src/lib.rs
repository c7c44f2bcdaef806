//! Options that follow features, as the build script reads them from its environment.

#[cfg(has_fast)]
pub fn fast() {}
#[cfg(has_either)]
pub fn either() {}
#[cfg(has_both)]
pub fn both() {}
#[cfg(plain)]
pub fn plain() {}
#[cfg(by_match)]
pub fn matched() {}
#[cfg(by_cfg)]
pub fn by_cfg() {}
#[cfg(by_negation)]
pub fn before_the_return() {}

pub fn go() {
    fast();
    //~^ CFG001 cfg(not(feature = "fast-path"))
    either();
    //~^ CFG001 cfg(not(any(feature = "fast-path", feature = "fallback")))
    both();
    //~^ CFG001 cfg(not(all(feature = "fast-path", feature = "fallback")))
    plain();
    //~^ CFG001 cfg(all(feature = "fast-path", feature = "fallback"))
    matched();
    //~^ CFG001 cfg(not(feature = "tls"))
    by_cfg();
    //~^ CFG001 cfg(not(feature = "tls"))
}

#[cfg(feature = "fast-path")]
pub fn gated() {
    fast();
    either();
}

#[cfg(feature = "extra")]
pub fn with_extra() {
    matched();
    by_cfg();
}

#[cfg(has_both)]
pub fn formula_as_gate() {
    fast();
    either();
    #[cfg(feature = "fallback")]
    both();
    plain();
    //~^ CFG001 cfg(all(feature = "fast-path", feature = "fallback"))
}
