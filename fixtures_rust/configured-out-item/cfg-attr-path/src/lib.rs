//! `cfg_attr(p, path = ..)`: one module, two files, each under its own condition.

#[cfg_attr(feature = "on", path = "platform/on.rs")]
pub mod platform;

pub fn go() {
    platform::both();
    platform::only_on();
    //~^ CFG001 cfg(not(feature = "on"))
    #[cfg(not(feature = "quiet"))]
    platform::only_off();
    //~^ CFG001 cfg(all(feature = "on", not(feature = "quiet")))
}

#[cfg(not(feature = "quiet"))]
pub fn loud() {}
