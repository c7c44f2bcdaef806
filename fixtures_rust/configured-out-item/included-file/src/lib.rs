//! What `include!` of a literal brings is in the scope of the call, gates and all; it sees that scope in turn.

include!("parts.rs");

#[cfg(feature = "x")]
pub fn only_x() {}

macro_rules! above {
    () => {};
}

#[cfg(feature = "x")]
include!("more/gated.rs");

mod inner {
    include!("more/inside.rs");

    pub fn own() -> u8 {
        crate::made();
        super::only_x();
        //~^ CFG001 cfg(not(feature = "x"))
        inside() + self::inside()
    }
}

pub fn go() {
    made();
    Part::new();
    part_of_x();
    //~^ CFG001 cfg(not(feature = "x"))
    from_gated();
    //~^ CFG001 cfg(not(feature = "x"))
    inner::inside_of_x();
    //~^ CFG001 cfg(not(feature = "x"))
    inner::own();
    shown!();
}

#[cfg(feature = "x")]
pub fn gated() {
    made();
    from_gated();
}

pub fn text() -> &'static str {
    include_str!("parts.rs")
}
