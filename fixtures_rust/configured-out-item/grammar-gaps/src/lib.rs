//! Valid code that grammars trip over: attributes on closure parameters, on struct patterns, two on one parameter.
#![allow(unused_variables, unused_mut)]

pub struct S {
    #[cfg(feature = "x")]
    pub a: u8,
    pub b: u8,
}

pub fn pattern(s: S) -> u8 {
    let S {
        #[cfg(feature = "x")]
        a,
        b,
    } = s;
    #[cfg(feature = "y")]
    let b = a;
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    b
}

pub fn closure() {
    let f = |#[cfg(feature = "x")] n: u8, #[allow(unused)] mut k: u8| {
        #[cfg(feature = "y")]
        helper(n);
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    };
}

fn helper(n: u8) {}

pub fn twice(
    #[cfg(feature = "x")]
    #[allow(unused)]
    n: u8,
    m: u8,
) {
    #[cfg(feature = "x")]
    helper(n);
    gated();
    //~^ CFG001 cfg(not(feature = "x"))
}

#[cfg(feature = "x")]
fn gated() {}
