//! Mixture of recursions, without a kernel of its own.

pub fn depth() -> usize {
    3
}
