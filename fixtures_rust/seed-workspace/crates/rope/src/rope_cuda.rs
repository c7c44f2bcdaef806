//! The fused rotation and its adjoint. The module serves both features, its kernels only one.

#[cfg(feature = "cuda")]
use cubes::cube;

#[cube]
//~^ CFG002 cfg(all(feature = "autodiff", not(feature = "cuda")))
fn rotate_kernel(
    #[comptime] width: usize,
    //~^ FOLLOWS cfg(all(feature = "autodiff", not(feature = "cuda")))
    #[comptime] half: bool,
    //~^ FOLLOWS cfg(all(feature = "autodiff", not(feature = "cuda")))
) {
    let _ = (width, half);
}

#[cube]
//~^ CFG002 cfg(all(feature = "autodiff", not(feature = "cuda")))
fn adjoint_kernel(
    #[comptime] width: usize,
    //~^ FOLLOWS cfg(all(feature = "autodiff", not(feature = "cuda")))
) {
    let _ = width;
}

pub fn rotate_fused() {
    let _client = cubes::client();
    //~^ CFG003 cfg(all(feature = "autodiff", not(feature = "cuda")))
    rotate_kernel(64, true);
    adjoint_kernel(64);
}

#[cfg(feature = "autodiff")]
pub mod ad {
    pub fn backward() {}
}
