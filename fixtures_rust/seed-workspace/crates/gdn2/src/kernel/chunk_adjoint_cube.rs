pub fn backward() {
    crate::cuda_dispatch::note_fused_backward();
    //~^ CFG001 cfg(all(feature = "cuda", not(feature = "autodiff")))
}
