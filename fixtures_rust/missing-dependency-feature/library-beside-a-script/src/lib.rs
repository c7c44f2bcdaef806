//! What the build script's copy of a dependency has is not there for the library.

pub fn go() {
    gen::runtime();
    gen::codegen();
    //~^ CFG004 cfg(all())
}

#[cfg(feature = "x")]
pub use gen::codegen;
//~^ CFG004 cfg(feature = "x")
