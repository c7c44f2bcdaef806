//! Arguments of the standard macros are code; inline format arguments too.

#[cfg(feature = "x")]
pub fn gated() -> u8 {
    1
}
#[cfg(feature = "x")]
pub const LIMIT: u8 = 1;

pub fn go(out: &mut String) {
    use std::fmt::Write as _;
    println!("{}", gated());
    //~^ CFG001 cfg(not(feature = "x"))
    assert!(crate::gated() == 1, "must be {}", 1);
    //~^ CFG001 cfg(not(feature = "x"))
    debug_assert_eq!(1, self::gated());
    //~^ CFG001 cfg(not(feature = "x"))
    let _ = vec![gated(); 3];
    //~^ CFG001 cfg(not(feature = "x"))
    let _ = format!("{n}", n = gated());
    //~^ CFG001 cfg(not(feature = "x"))
    let _ = write!(out, "{LIMIT}");
    //~^ CFG001 cfg(not(feature = "x"))
    let _ = matches!(1, LIMIT if gated() == 1);
    //~^ CFG001 cfg(not(feature = "x"))
}
