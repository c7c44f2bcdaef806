//! One dependency in several tables: its features add up, target by target (resolver 2).

pub fn registry() {
    sys::registry();
    //~^ CFG004 cfg(not(windows))
}

#[cfg(windows)]
pub fn on_windows() {
    sys::registry();
    sys::signals();
    //~^ CFG004 cfg(windows)
}

#[cfg(not(windows))]
pub fn elsewhere() {
    sys::signals();
    //~^ CFG004 cfg(target_arch = "wasm32")
}

#[cfg(target_arch = "wasm32")]
pub fn web() {
    sys::heap();
}

#[cfg(any(unix, windows))]
pub fn both() {
    sys::always();
    sys::either();
    sys::heap();
    //~^ CFG004 cfg(any(unix, windows))
}

#[cfg(feature = "events")]
pub fn events() {
    sys::events();
}

#[cfg(all(feature = "log", not(windows)))]
pub fn log() {
    journal::lines();
    journal::bytes();
    //~^ CFG004 cfg(all(feature = "log", not(windows)))
}

#[cfg(feature = "log")]
pub fn log_everywhere() {
    journal::lines();
    //~^ CFG003 cfg(all(feature = "log", windows))
}
