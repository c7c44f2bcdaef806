//! Two imports of one name, and an import beside an item.

mod gl {
    pub fn draw() {}
    pub struct Surface;
}
mod vk {
    pub fn draw() {}
    pub struct Surface;
}

#[cfg(feature = "gl")]
pub use gl::draw;
#[cfg(feature = "vk")]
pub use vk::draw;
//~^ CFG010 cfg(all(feature = "gl", feature = "vk"))

#[cfg(feature = "gl")]
pub use gl::Surface;
#[cfg(feature = "vk")]
pub struct Surface;
//~^ CFG010 cfg(all(feature = "gl", feature = "vk"))

#[cfg(feature = "gl")]
pub struct Window;
#[cfg(feature = "vk")]
use vk::Surface as Window;
//~^ CFG010 cfg(all(feature = "gl", feature = "vk"))

#[cfg(feature = "gl")]
extern crate core as base;
#[cfg(feature = "vk")]
use gl as base;
//~^ CFG010 cfg(all(feature = "gl", feature = "vk"))
