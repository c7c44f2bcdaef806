//! Counts which way each call went, so that a silent fallback shows.

mod fused {
    pub fn note_fused_forward() {}
    pub fn note_fused_backward() {}
    pub fn note_untracked() {}
    pub fn note_tensor_branch() {}
    pub fn note_backward_node() {}
    pub fn note_fused_declined() {}
    pub fn fused_forced_off() {}
}

pub use fused::*;
