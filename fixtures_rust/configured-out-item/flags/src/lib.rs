//! Flags that RUSTFLAGS or a profile sets: free, off unless somebody sets them.

#[cfg(loom)]
mod model {
    pub fn check() {}
}

#[cfg(debug_assertions)]
fn validate() {}

#[cfg(all(loom, feature = "sync"))]
pub fn test_model() {
    model::check();
}

#[cfg(feature = "sync")]
pub fn sync() {
    #[cfg(not(loom))]
    real();
    model::check();
    //~^ CFG001 cfg(all(feature = "sync", not(loom)))
}

#[cfg(not(loom))]
fn real() {}

pub fn go() {
    if cfg!(debug_assertions) {
        validate();
        //~^ CFG001 cfg(not(debug_assertions))
    }
    #[cfg(debug_assertions)]
    validate();
    #[cfg(loom)]
    real();
    //~^ CFG001 cfg(loom)
}
