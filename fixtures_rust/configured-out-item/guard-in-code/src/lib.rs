//! Guards inside functions and in macros: a call that nobody makes guards nothing.

macro_rules! refuse {
    () => {
        compile_error!("no");
    };
}

pub fn with_a() {
    #[cfg(all(feature = "a", feature = "b"))]
    compile_error!("`a` and `b` exclude each other");
    //~^ INVALID cfg(all(feature = "a", feature = "b"))
}

#[cfg(not(feature = "b"))]
pub fn without_b() {}

#[cfg(feature = "a")]
pub fn go() {
    without_b();
}

pub fn always() {
    without_b();
    //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
}
