//! The autodiff node of the rule.

pub fn record() {
    crate::cuda_dispatch::note_untracked();
    crate::cuda_dispatch::note_tensor_branch();
    crate::cuda_dispatch::note_backward_node();
    crate::cuda_dispatch::note_fused_declined();
    crate::cuda_dispatch::fused_forced_off();
}
