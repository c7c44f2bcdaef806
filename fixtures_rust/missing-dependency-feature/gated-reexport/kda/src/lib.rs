//! Names an item of another member whose gate is `autodiff`, in code whose gate is `cuda`.
#[cfg(feature = "cuda")]
pub fn forward(_: gdn2::Fused) {}
//~^ CFG004 cfg(all(feature = "cuda", not(feature = "autodiff")))
