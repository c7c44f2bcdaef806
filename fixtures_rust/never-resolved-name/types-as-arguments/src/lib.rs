//! What reads like an expression in a macro's argument may be a type there.

pub struct Record {
    pub v: u32,
}

macro_rules! parsed {
    ($input:expr, $type:ty, $other:expr) => {{
        let _: Option<$type> = None;
        let _ = ($input, $other);
    }};
}

#[cfg(feature = "x")]
pub fn gated() {
    parsed!(vec![1], (u8, bool, Record), 1 + 1);
    parsed!("text", (String, [u32; 2]), "more");
    parsed!("text", Record, missing + 1);
    //~^ CFG012 cfg(feature = "x")
    assert!(u32 == 1);
    //~^ CFG012 cfg(feature = "x")
}
