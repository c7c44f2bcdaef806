//! The same positions, each gated on the wrong feature.
#![allow(unused_variables, dead_code)]

#[cfg(feature = "x")]
pub mod m {
    pub fn f() -> u8 {
        1
    }
    pub const C: u8 = 1;
    pub struct S(pub u8);
    pub trait T {}
}

pub struct Fields {
    pub plain: u8,
    #[cfg(feature = "y")]
    pub gated: m::S,
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
}

pub struct Tuple(
    pub u8,
    #[cfg(feature = "y")] pub m::S,
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
);

pub enum Variants {
    Plain,
    #[cfg(feature = "y")]
    Gated(m::S),
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
}

pub trait Trait {
    #[cfg(feature = "y")]
    fn method(&self) -> m::S;
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
}

#[cfg(feature = "y")]
impl m::T for Fields {}
//~^ CFG001 cfg(all(feature = "y", not(feature = "x")))

extern "C" {
    #[cfg(feature = "y")]
    fn foreign(s: *const m::S);
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
}

pub fn statements(n: u8) -> u8 {
    #[cfg(feature = "y")]
    let a = m::f();
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    #[cfg(feature = "y")]
    m::f();
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    #[cfg(feature = "y")]
    println!("{}", m::f());
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    #[cfg(feature = "y")]
    if n > 1 {
        m::f();
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    }
    #[cfg(feature = "y")]
    {
        m::f();
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    }
    match n {
        #[cfg(feature = "y")]
        m::C => 1,
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
        #[cfg(feature = "y")]
        2 => m::f(),
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
        _ => 0,
    }
}

fn many(_: &[u8]) {}

pub fn expressions() {
    many(&[
        0,
        #[cfg(feature = "y")]
        m::f(),
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    ]);
    let _ = vec![
        1,
        #[cfg(feature = "y")]
        m::f(),
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    ];
    parameters(
        1,
        #[cfg(feature = "y")]
        m::S(1),
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    );
}

pub fn parameters(
    n: u8,
    #[cfg(feature = "y")] s: m::S,
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
) {
}

pub fn generic<
    #[cfg(feature = "y")] U: m::T,
    //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
>() {
}
