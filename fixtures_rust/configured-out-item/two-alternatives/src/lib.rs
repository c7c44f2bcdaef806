//! Alternatives that together leave a hole.

#[cfg(feature = "gl")]
mod backend {
    pub fn draw() {}
}
#[cfg(all(feature = "vk", not(feature = "gl")))]
mod backend {
    pub fn draw() {}
    pub fn only_vk() {}
}

pub fn frame() {
    backend::draw();
    //~^ CFG001 cfg(not(any(feature = "gl", feature = "vk")))
}

#[cfg(feature = "vk")]
pub fn present() {
    backend::draw();
    backend::only_vk();
    //~^ CFG001 cfg(all(feature = "vk", feature = "gl"))
}

#[cfg(feature = "sw")]
use backend::draw;
//~^ CFG001 cfg(all(feature = "sw", not(feature = "gl"), not(feature = "vk")))
