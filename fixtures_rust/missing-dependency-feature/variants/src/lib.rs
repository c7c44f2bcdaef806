//! Variants and associated items of a type that lives in another package.

use format::Format;

pub fn plain() -> Format {
    Format::Plain
}

pub fn variant() -> format::Format {
    format::Format::Json
    //~^ CFG006 cfg(not(feature = "json"))
}

pub fn pattern(value: &Format) -> bool {
    match value {
        Format::Json => true,
        //~^ CFG006 cfg(not(feature = "json"))
        _ => false,
    }
}

#[cfg(feature = "json")]
pub fn gated() -> Format {
    Format::json();
    Format::Json
}

pub fn function() {
    Format::plain();
    Format::json();
    //~^ CFG006 cfg(not(feature = "json"))
    let _ = Format::INDENT;
    //~^ CFG006 cfg(not(feature = "json"))
}

pub mod imported {
    use format::Format::Json;
    //~^ CFG006 cfg(not(feature = "json"))

    pub fn go() -> format::Format {
        Json
    }
}

pub fn alternatives() {
    format::Mode::new();
    format::Mode::open();
    //~^ CFG006 cfg(not(feature = "json"))
}
