//! The key of the dependency names the feature and, with dashes turned, the crate; else `[lib] name` does.

pub fn go() {
    short_name::run();
    //~^ CFG003 cfg(not(feature = "short-name"))
    other_lib::run();
    //~^ CFG003 cfg(not(feature = "other-crate"))
}

#[cfg(feature = "short-name")]
pub fn gated() {
    short_name::run();
}
