//! A module behind one feature, called from a module behind another.

#[cfg(feature = "gpu")]
pub mod kernels;

#[cfg(feature = "grad")]
pub mod tally;
