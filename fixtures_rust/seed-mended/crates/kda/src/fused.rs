//! Reuses the routing of gdn2.

use gdn2::{Fallback, Fused};

pub fn route(_: Fused) -> Fallback {
    Fallback::Tensor
}
