//! Two variants of one name.

pub enum Kind {
    #[cfg(feature = "a")]
    Fast,
    #[cfg(feature = "b")]
    Fast(u8),
    //~^ CFG010 cfg(all(feature = "a", feature = "b"))
}
