//! The re-export itself is at fault when its gate is wider than that of what it names; its users are not.

mod origin {
    #[cfg(all(feature = "a", feature = "b"))]
    pub struct Fused;
}

#[cfg(feature = "a")]
pub use origin::Fused;
//~^ CFG001 cfg(all(feature = "a", not(feature = "b")))

#[cfg(feature = "a")]
pub fn build() -> Fused {
    Fused
}
