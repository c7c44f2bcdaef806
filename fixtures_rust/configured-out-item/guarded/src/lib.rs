//! `compile_error!` guards: builds they reject count neither as failing nor as good.

#[cfg(all(feature = "gpu", not(feature = "grad")))]
compile_error!("`gpu` needs `grad`");
//~^ INVALID cfg(all(feature = "gpu", not(feature = "grad")))

#[cfg(not(any(feature = "a", feature = "b")))]
compile_error!("choose `a` or `b`");
//~^ INVALID cfg(not(any(feature = "a", feature = "b")))

#[cfg(feature = "grad")]
pub mod grad {
    pub fn back() {}
}

#[cfg(feature = "gpu")]
pub fn launch() {
    grad::back();
}

#[cfg(feature = "a")]
pub fn backend() {}
#[cfg(all(feature = "b", not(feature = "a")))]
pub fn backend() {}

pub fn go() {
    backend();
}
