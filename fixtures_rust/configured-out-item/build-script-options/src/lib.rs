//! Options that the build script sets in every build.

#[cfg(always)]
pub fn on_always() {}
#[cfg(not(always))]
pub fn off_always() {}
#[cfg(older)]
pub fn old_syntax() {}
#[cfg(level = "one")]
pub fn level_one() {}
#[cfg(level = "two")]
pub fn level_two() {}
#[cfg(all(quoted, by_loop, by_helper))]
pub fn from_names() {}
#[cfg(never)]
pub fn declared_only() {}
#[cfg(all(always, feature = "x"))]
pub fn with_x() {}

pub fn go() {
    on_always();
    old_syntax();
    level_two();
    from_names();
    with_x();
    //~^ CFG001 cfg(not(feature = "x"))
    level_one();
    //~^ CFG001 cfg(all())
    declared_only();
    //~^ CFG001 cfg(all())
}

#[cfg(not(always))]
pub fn never_compiled() {
    nothing();
    level_one();
}

#[cfg(all(always, not(feature = "x")))]
pub use with_x as renamed;
//~^ CFG001 cfg(not(feature = "x"))
