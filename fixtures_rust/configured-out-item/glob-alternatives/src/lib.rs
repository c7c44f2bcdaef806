//! Two gated globs supply the same name: it is missing only where both are off.

mod gl {
    pub fn draw() {}
}
mod vk {
    pub fn draw() {}
}

#[cfg(feature = "gl")]
use gl::*;
#[cfg(all(feature = "vk", not(feature = "gl")))]
use vk::*;

pub fn frame() {
    draw();
    //~^ CFG001 cfg(not(any(feature = "gl", feature = "vk")))
}
