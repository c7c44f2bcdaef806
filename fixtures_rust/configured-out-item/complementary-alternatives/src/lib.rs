//! Alternatives that cover every build: nothing fails.

#[cfg(feature = "gl")]
mod backend {
    pub fn draw() {}
}
#[cfg(all(feature = "vk", not(feature = "gl")))]
mod backend {
    pub use crate::soft::*;
}
#[cfg(not(any(feature = "gl", feature = "vk")))]
use soft as backend;

mod soft {
    pub fn draw() {}
}

pub fn frame() {
    backend::draw();
}
