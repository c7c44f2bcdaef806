//! Two backends that exclude each other: overlapping definitions and uses are fine.

#[cfg(all(feature = "gl", feature = "vk"))]
compile_error!("`gl` and `vk` exclude each other");
//~^ INVALID cfg(all(feature = "gl", feature = "vk"))

#[cfg(feature = "gl")]
pub fn draw() {}
#[cfg(feature = "vk")]
pub fn draw() {}

#[cfg(not(feature = "vk"))]
pub fn fallback() {}

#[cfg(feature = "gl")]
pub fn go() {
    draw();
    fallback();
}
