//! Every kind of item, named where rustc has a different error for its absence.

pub mod m {
    #[cfg(feature = "x")]
    pub const LIMIT: usize = 4;
    #[cfg(feature = "x")]
    pub static TABLE: [u8; 4] = [0; 4];
    #[cfg(feature = "x")]
    pub struct Plain {
        pub a: u8,
    }
    #[cfg(feature = "x")]
    pub struct Tuple(pub u8);
    #[cfg(feature = "x")]
    pub struct Unit;
    #[cfg(feature = "x")]
    pub enum Kind {
        A,
    }
    #[cfg(feature = "x")]
    pub union Bits {
        pub a: u8,
    }
    #[cfg(feature = "x")]
    pub type Alias = u8;
    #[cfg(feature = "x")]
    pub trait Shape {}
}

pub fn constant() -> usize {
    m::LIMIT
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn a_static() -> u8 {
    m::TABLE[0]
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn literal() {
    let _ = m::Plain { a: 1 };
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn constructor() {
    let _ = m::Tuple(1);
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn unit_value() {
    let _ = m::Unit;
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn variant_of_a_gated_enum() {
    let _ = m::Kind::A;
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn in_types(
    _: &m::Plain,
    //~^ CFG001 cfg(not(feature = "x"))
    _: Option<m::Bits>,
    //~^ CFG001 cfg(not(feature = "x"))
    _: fn(m::Alias) -> u8,
    //~^ CFG001 cfg(not(feature = "x"))
    _: [u8; m::LIMIT],
    //~^ CFG001 cfg(not(feature = "x"))
    _: &dyn m::Shape,
    //~^ CFG001 cfg(not(feature = "x"))
    _: impl m::Shape,
    //~^ CFG001 cfg(not(feature = "x"))
) {
}

pub fn bound<T: m::Shape>(_: T) {}
//~^ CFG001 cfg(not(feature = "x"))

pub fn where_clause<T>(_: T)
where
    T: m::Shape,
    //~^ CFG001 cfg(not(feature = "x"))
{
}

pub struct Own;

impl m::Shape for Own {}
//~^ CFG001 cfg(not(feature = "x"))

pub trait Finer: m::Shape {}
//~^ CFG001 cfg(not(feature = "x"))

pub struct Holder {
    pub plain: m::Plain,
    //~^ CFG001 cfg(not(feature = "x"))
}
