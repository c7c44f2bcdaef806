//! Two alternatives of one function, both live when both features are on.

#[cfg(feature = "gl")]
pub fn draw() {}
#[cfg(feature = "vk")]
pub fn draw() {}
//~^ CFG010 cfg(all(feature = "gl", feature = "vk"))

#[cfg(any(feature = "gl", feature = "vk"))]
pub fn frame() {
    draw();
}

#[cfg(feature = "gl")]
pub mod blit {
    #[cfg(feature = "sw")]
    pub const MODE: u8 = 0;
    #[cfg(not(feature = "vk"))]
    pub const MODE: u8 = 1;
    //~^ CFG010 cfg(all(feature = "gl", feature = "sw", not(feature = "vk")))
}
