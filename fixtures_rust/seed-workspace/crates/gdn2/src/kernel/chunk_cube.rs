pub fn forward() {
    crate::cuda_dispatch::note_fused_forward();
    //~^ CFG001 cfg(all(feature = "cuda", not(feature = "autodiff")))
}
