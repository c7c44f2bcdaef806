//! Files that no build asks for: nothing fails.

#[cfg(any())]
mod gone;
#[cfg(false)]
#[path = "nowhere.rs"]
mod elsewhere;

#[cfg(all(feature = "a", not(feature = "a")))]
mod contradiction {
    mod below;
}

macro_rules! unused {
    () => {
        mod in_a_macro;
    };
}

#[cfg_attr(all(), path = "there.rs")]
pub mod moved;
