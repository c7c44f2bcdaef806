pub fn backward() {
    crate::cuda_dispatch::note_fused_backward();
}
