//! The autodiff node of the rule.

pub fn record() {
    crate::cuda_dispatch::note_untracked();
    //~^ CFG001 cfg(all(feature = "autodiff", not(feature = "cuda")))
    crate::cuda_dispatch::note_tensor_branch();
    //~^ CFG001 cfg(all(feature = "autodiff", not(feature = "cuda")))
    crate::cuda_dispatch::note_backward_node();
    //~^ CFG001 cfg(all(feature = "autodiff", not(feature = "cuda")))
    crate::cuda_dispatch::note_fused_declined();
    //~^ CFG001 cfg(all(feature = "autodiff", not(feature = "cuda")))
    crate::cuda_dispatch::fused_forced_off();
    //~^ CFG001 cfg(all(feature = "autodiff", not(feature = "cuda")))
}
