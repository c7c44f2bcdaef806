//! Items of a package that is seen only through another one, whose features the root turns on directly or not.

pub fn go() {
    facade::plain();
    facade::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
    facade::cores::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
    facade::named::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
    facade::only_full();
    //~^ CFG004 cfg(not(feature = "full"))
}

#[cfg(feature = "gpu")]
pub fn gpu() {
    facade::launch();
    facade::cores::launch();
    facade::prelude::launch();
    facade::cores::tune();
    //~^ CFG004 cfg(all(feature = "gpu", not(feature = "full")))
}

#[cfg(feature = "full")]
pub fn full() {
    facade::only_full();
    facade::full_launch();
    //~^ CFG004 cfg(all(feature = "full", not(feature = "gpu")))
    facade::cores::tune();
}

#[cfg(feature = "zip")]
pub use facade::zip::pack;

#[cfg(feature = "full")]
pub use facade::zip;
//~^ CFG004 cfg(all(feature = "full", not(feature = "zip")))
