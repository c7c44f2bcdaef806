//! Matches against the variants of the day.

use std::convert::Infallible;

pub enum Format {
    Plain,
    #[cfg(feature = "json")]
    Json,
    #[cfg(feature = "yaml")]
    Yaml(u8),
    #[cfg(feature = "yaml")]
    Toml { version: u8 },
}

pub fn agreeing(format: &Format) -> u8 {
    match format {
        Format::Plain => 0,
        #[cfg(feature = "json")]
        Format::Json => 1,
        #[cfg(feature = "yaml")]
        Format::Yaml(_) | Format::Toml { .. } => 2,
    }
}

pub fn narrower(format: &Format) -> u8 {
    match format {
        //~^ CFG007 cfg(all(feature = "json", not(feature = "pretty")))
        Format::Plain => 0,
        #[cfg(feature = "pretty")]
        Format::Json => 1,
        #[cfg(feature = "yaml")]
        &Format::Yaml(_) | Format::Toml { .. } => 2,
    }
}

pub fn forgotten(format: Format) -> u8 {
    match format {
        //~^ CFG007 cfg(any(feature = "json", feature = "yaml"))
        Format::Plain => 0,
    }
}

pub fn rest(format: Format) -> u8 {
    match format {
        Format::Plain => 0,
        #[cfg(feature = "json")]
        Format::Json => 1,
        #[allow(unreachable_patterns)]
        _ => 2,
    }
}

pub fn named_rest(format: Format) -> u8 {
    match format {
        Format::Plain => 0,
        #[allow(unreachable_patterns)]
        other => size(&other),
    }
}

fn size(_: &Format) -> u8 {
    1
}

pub fn guarded_alone(format: &Format, deep: bool) -> u8 {
    match format {
        //~^ CFG007 cfg(all(feature = "yaml", not(feature = "json")))
        Format::Plain => 0,
        #[cfg(feature = "json")]
        Format::Json => 1,
        #[cfg(feature = "yaml")]
        Format::Toml { .. } => 3,
        #[cfg(feature = "yaml")]
        Format::Yaml(_) if deep => 2,
        #[cfg(all(feature = "yaml", feature = "json"))]
        whole @ Format::Yaml(_) => size(whole),
    }
}

pub fn by_glob(format: &Format) -> u8 {
    use Format::*;
    match format {
        //~^ CFG007 cfg(feature = "json")
        Plain => 0,
        #[cfg(feature = "yaml")]
        Yaml(_) => 1,
        #[cfg(feature = "yaml")]
        Toml { .. } => 2,
    }
}

pub fn inside_another(format: Option<Format>) -> u8 {
    match format {
        None => 0,
        Some(Format::Plain) => 1,
        #[cfg(any(feature = "json", feature = "yaml"))]
        Some(_) => 2,
    }
}

pub enum Never {}

pub enum Outcome {
    Done,
    #[cfg(feature = "json")]
    Failed(Infallible),
    #[cfg(feature = "json")]
    Lost(Never),
}

pub fn nothing_to_match(outcome: Outcome) -> u8 {
    match outcome {
        Outcome::Done => 0,
    }
}

impl Format {
    pub fn rank(&self) -> u8 {
        match *self {
            //~^ CFG007 cfg(feature = "yaml")
            Self::Plain => 0,
            #[cfg(feature = "json")]
            Self::Json => 1,
        }
    }
}

#[cfg(feature = "pretty")]
pub fn in_gated_code(format: &Format) -> u8 {
    match format {
        //~^ CFG007 cfg(all(feature = "pretty"))
        Format::Json => 1,
        #[cfg(feature = "yaml")]
        Format::Yaml(_) | Format::Toml { .. } => 2,
    }
}

pub const FIRST: u8 = 1;

pub fn constants(byte: u8) -> u8 {
    match byte {
        FIRST => 1,
        #[cfg(feature = "json")]
        2 => 2,
        _ => 3,
    }
}
