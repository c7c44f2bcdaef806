//! `default-features = false` counts only where every edge says so.

pub fn whole() {
    whole::by_default();
    whole::implied();
    whole::extra();
    //~^ CFG004 cfg(all())
}

pub fn bare() {
    bare::always();
    bare::std();
    //~^ CFG004 cfg(not(any(feature = "std", feature = "full")))
    bare::more();
    //~^ CFG004 cfg(not(feature = "full"))
}

#[cfg(feature = "std")]
pub fn forwarded() {
    bare::std();
}

#[cfg(feature = "default")]
pub fn the_default_of_the_root_is_not_that_of_the_dependency() {
    bare::more();
    //~^ CFG004 cfg(all(feature = "default", not(feature = "full")))
}

pub fn shared() {
    shared::by_default();
    asker::ask();
}
