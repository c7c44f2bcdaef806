//! Enum variants by path, in expressions and in patterns, by `Self` and by alias.

pub enum Format {
    Plain,
    #[cfg(feature = "json")]
    Json,
    #[cfg(feature = "toml")]
    Toml(u8),
    #[cfg(feature = "toml")]
    Table { depth: u8 },
}

pub use Format as F;

impl Format {
    pub fn is_json(&self) -> bool {
        matches!(self, Self::Json)
        //~^ CFG006 cfg(not(feature = "json"))
    }
}

pub fn make() {
    let _ = Format::Json;
    //~^ CFG006 cfg(not(feature = "json"))
    let _ = F::Toml(1);
    //~^ CFG006 cfg(not(feature = "toml"))
    let _ = crate::Format::Table { depth: 1 };
    //~^ CFG006 cfg(not(feature = "toml"))
    let _ = Format::Plain;
}

pub fn level(format: Format) -> u8 {
    match format {
        Format::Plain => 0,
        #[cfg(feature = "json")]
        Format::Json => 1,
        Format::Toml(n) => n,
        //~^ CFG006 cfg(not(feature = "toml"))
        #[cfg(feature = "toml")]
        Format::Table { depth } => depth,
    }
}
