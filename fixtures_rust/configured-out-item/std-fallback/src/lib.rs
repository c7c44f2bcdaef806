//! Where the package's own item is off, the prelude, an extern crate, a primitive type or a builtin macro has the name.

#[cfg(feature = "own")]
pub struct String;
#[cfg(feature = "own")]
impl String {
    pub fn new() -> String {
        String
    }
}

#[cfg(feature = "own")]
pub mod core {
    pub mod mem {
        pub fn forget<T>(_: T) {}
    }
}

#[cfg(feature = "own")]
#[allow(non_camel_case_types)]
pub mod u32 {
    pub const MAX: u8 = 0;
}

#[cfg(feature = "own")]
macro_rules! vec {
    ($($t:tt)*) => {
        0
    };
}

pub fn everything() {
    let _ = String::new();
    core::mem::forget(1);
    let _ = u32::MAX;
    let _ = vec![1, 2];
}
