//! Gates that come by `cfg_attr`: conditional, nested, several at once.

#[cfg_attr(feature = "a", cfg(feature = "b"))]
pub fn conditional() {}

#[cfg_attr(feature = "a", cfg_attr(feature = "b", cfg(false)))]
pub fn nested() {}

#[cfg_attr(feature = "a", doc = "documented", cfg(feature = "b"), inline)]
pub fn several() {}

#[cfg_attr(not(feature = "a"), cfg(any()))]
#[cfg_attr(all(), cfg(not(feature = "b")))]
pub fn twice() {}

pub fn go() {
    conditional();
    //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
    nested();
    //~^ CFG001 cfg(all(feature = "a", feature = "b"))
    several();
    //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
    twice();
    //~^ CFG001 cfg(not(all(feature = "a", not(feature = "b"))))
}
