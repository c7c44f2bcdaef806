//! Reuses the routing of gdn2, whose root re-exports it under `autodiff` only.

use gdn2::{Fallback, Fused};
//~^ CFG004 cfg(all(feature = "cuda", not(feature = "autodiff")))

pub fn route(_: Fused) -> Fallback {
    Fallback::Tensor
}
