//! Patterns of gated structs, tuple structs and constants.

pub mod m {
    pub struct Any;
    #[cfg(feature = "x")]
    pub struct Tuple(pub u8);
    #[cfg(feature = "x")]
    pub struct Plain {
        pub a: u8,
    }
    #[cfg(feature = "x")]
    pub const LIMIT: u8 = 4;
}

pub fn by_path(n: u8) -> bool {
    match n {
        m::LIMIT => true,
        //~^ CFG001 cfg(not(feature = "x"))
        _ => false,
    }
}

pub fn in_a_range(n: u8) -> bool {
    matches!(n, 0..=m::LIMIT)
    //~^ CFG001 cfg(not(feature = "x"))
}

#[cfg(feature = "x")]
pub fn gated(t: m::Tuple, p: m::Plain) -> u8 {
    let m::Tuple(a) = t;
    let m::Plain { a: b } = p;
    a + b
}

pub fn closure() -> u8 {
    let take = |m::Tuple(a)| a;
    //~^ CFG001 cfg(not(feature = "x"))
    let other = |m::Plain { a }| a;
    //~^ CFG001 cfg(not(feature = "x"))
    0
}
