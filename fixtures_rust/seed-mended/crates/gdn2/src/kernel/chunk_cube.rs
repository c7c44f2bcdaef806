pub fn forward() {
    crate::cuda_dispatch::note_fused_forward();
}
