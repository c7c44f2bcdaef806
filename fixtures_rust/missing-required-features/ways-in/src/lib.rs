pub struct Plain;
#[cfg(feature = "x")]
pub struct Extra;
#[cfg(feature = "x")]
pub trait Reads {
    fn read(&self) {}
}
pub mod deep {
    #[cfg(feature = "x")]
    pub mod down {
        pub const SIZE: usize = 1;
    }
}
pub mod prelude {
    pub use crate::deep;
    #[cfg(feature = "x")]
    pub use crate::{Extra, Reads};
}
