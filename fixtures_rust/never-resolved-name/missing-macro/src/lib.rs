//! A macro that nobody defines, in gated code.

#[cfg(feature = "x")]
pub fn go() {
    undefined_macro!();
    //~^ CFG012 cfg(feature = "x")
}
