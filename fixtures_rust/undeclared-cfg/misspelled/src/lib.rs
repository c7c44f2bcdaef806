//! Names that rustc does not know, and values that no target has.

#[cfg(linux)]
//~^ CFG102
pub fn epoll() {}

#[cfg(features = "gpu")]
//~^ CFG102
pub fn launch() {}

#[cfg(gpu)]
//~^ CFG102
pub fn bare() {}

#[cfg(target_os = "linus")]
//~^ CFG102
pub fn value() {}

#[cfg(target_os = "wasm32")]
//~^ CFG102
pub fn another_key() {}

#[cfg(target_os)]
//~^ CFG102
pub fn no_value() {}

#[cfg(unix = "linux")]
//~^ CFG102
pub fn too_much() {}

#[cfg_attr(debug, inline)]
//~^ CFG102
pub fn asks() -> bool {
    cfg!(all(unix, not(tests)))
    //~^ CFG102
}

#[cfg(all(test, doc, debug_assertions, miri, target_has_atomic = "64", panic = "unwind", target_env = ""))]
pub fn known() {}
