//! Names that stand for predicates, and for each other.

#[cfg(native)]
pub fn native() {}
#[cfg(gl_native)]
pub fn gl() {}
#[cfg(any_backend)]
pub mod backend {
    pub fn open() {}
}

pub fn go() {
    native();
    //~^ CFG001 cfg(target_arch = "wasm32")
    backend::open();
    //~^ CFG001 cfg(not(any(feature = "gl", all(feature = "metal", not(windows)))))
}

#[cfg(feature = "gl")]
pub fn with_gl() {
    backend::open();
    gl();
    //~^ CFG001 cfg(all(feature = "gl", target_arch = "wasm32"))
}

#[cfg(gl_native)]
pub fn implied() {
    gl();
    native();
    backend::open();
}

#[cfg(all(feature = "metal", unix))]
pub fn metal() {
    native();
    backend::open();
}
