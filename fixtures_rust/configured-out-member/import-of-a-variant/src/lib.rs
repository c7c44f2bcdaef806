//! `use Enum::{A, B}` is an import: a gated variant makes it fail there.

pub enum Format {
    Plain,
    #[cfg(feature = "json")]
    Json,
}

use Format::{
    Json,
    //~^ CFG006 cfg(not(feature = "json"))
    Plain,
};

pub fn all() -> [Format; 2] {
    [Plain, Json]
}
