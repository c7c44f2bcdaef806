//! A function that exists elsewhere, never imported here.

pub mod tools {
    #[cfg(feature = "gpu")]
    pub fn launch() {}
}

#[cfg(feature = "gpu")]
pub fn go() {
    launch();
    //~^ CFG012 cfg(feature = "gpu")
}

#[cfg(feature = "gpu")]
use tools::lunch;
//~^ CFG012 cfg(feature = "gpu")
