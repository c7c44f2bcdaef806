//! Only the type is gated and only the value comes by the glob: each namespace has a condition of its own.

mod values {
    #[allow(non_snake_case)]
    pub fn Handle() {}
}
pub use values::*;

#[cfg(feature = "own")]
pub struct Handle {
    pub id: u32,
}

pub fn call() {
    Handle();
}

pub fn take(_: Option<&Handle>) {}
//~^ CFG001 cfg(not(feature = "own"))

pub mod importer {
    pub use super::Handle;

    pub fn as_a_type(_: &Handle) {}
    //~^ CFG001 cfg(not(feature = "own"))
}
