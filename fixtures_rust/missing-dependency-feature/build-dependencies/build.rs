//! The build script's copy of a dependency has features of its own (resolver 2); the feature table speaks of both.

fn main() {
    gen::codegen();
    #[cfg(feature = "script")]
    gen::runtime();
    //~^ CFG004 cfg(feature = "script")
    #[cfg(feature = "deep")]
    gen::deep();
}
