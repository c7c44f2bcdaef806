//! Variants brought by a glob of their enum: in expressions and constructor patterns they fail.

pub enum Format {
    Plain,
    #[cfg(feature = "json")]
    Json(u8),
    #[cfg(feature = "toml")]
    Toml { depth: u8 },
}

use Format::*;

pub fn default() -> Format {
    Plain
}

pub fn richest() -> Format {
    Json(2)
    //~^ CFG006 cfg(not(feature = "json"))
}

pub fn deepest() -> Format {
    Toml { depth: 3 }
    //~^ CFG006 cfg(not(feature = "toml"))
}

pub fn level(format: Format) -> u8 {
    match format {
        Json(level) => level,
        //~^ CFG006 cfg(not(feature = "json"))
        #[cfg(feature = "toml")]
        Toml { depth } => depth,
        _ => 0,
    }
}
