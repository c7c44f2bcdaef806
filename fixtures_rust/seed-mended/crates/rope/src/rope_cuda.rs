//! The fused rotation and its adjoint. The kernels have a gate of their own.

#[cfg(feature = "cuda")]
use cubes::cube;

#[cfg(feature = "cuda")]
#[cube]
fn rotate_kernel(
    #[comptime] width: usize,
    #[comptime] half: bool,
) {
    let _ = (width, half);
}

#[cfg(feature = "cuda")]
#[cube]
fn adjoint_kernel(
    #[comptime] width: usize,
) {
    let _ = width;
}

#[cfg(feature = "cuda")]
pub fn rotate_fused() {
    let _client = cubes::client();
    rotate_kernel(64, true);
    adjoint_kernel(64);
}

#[cfg(feature = "autodiff")]
pub mod ad {
    pub fn backward() {}
}
