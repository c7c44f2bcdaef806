//! A lone identifier in a pattern becomes a binding where its constant or variant is off: no error (and a wrong match).
#![allow(unreachable_patterns, unused_variables, non_snake_case, bindings_with_variant_name)]

pub enum Level {
    Low,
    #[cfg(feature = "extra")]
    High,
}
use Level::*;

#[cfg(feature = "extra")]
const LIMIT: u8 = 3;
#[cfg(feature = "extra")]
static TOP: u8 = 3;
#[cfg(feature = "extra")]
pub struct Unit;

pub fn is_high(level: Level) -> bool {
    match level {
        High => true,
        Low => false,
    }
}

pub fn at_limit(n: u8) -> bool {
    match n {
        LIMIT => true,
        _ => false,
    }
}

pub fn unit<T>(n: u8) -> u8 {
    let rest @ 0..=255 = n;
    rest
}
