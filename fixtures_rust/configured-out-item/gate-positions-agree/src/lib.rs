//! Every position that takes a `#[cfg]`, each under the gate of what it names: nothing fails.
#![allow(unused_variables, unused_mut, dead_code, clippy::all)]

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
    #[cfg(feature = "x")]
    pub gated: m::S,
}

pub struct Tuple(pub u8, #[cfg(feature = "x")] pub m::S);

pub union Bits {
    pub plain: u8,
    #[cfg(feature = "x")]
    pub gated: [u8; m::C as usize],
}

pub enum Variants {
    Plain,
    #[cfg(feature = "x")]
    Gated(m::S),
    Discriminant {
        #[cfg(feature = "x")]
        inner: m::S,
    },
}

pub trait Trait {
    #[cfg(feature = "x")]
    const K: u8 = m::C;
    #[cfg(feature = "x")]
    fn method(&self) -> m::S;
}

impl Trait for Fields {
    #[cfg(feature = "x")]
    fn method(&self) -> m::S {
        m::S(1)
    }
}

#[cfg(feature = "x")]
impl m::T for Fields {}

impl Fields {
    #[cfg(feature = "x")]
    pub fn gated() -> m::S {
        m::S(m::f())
    }
}

extern "C" {
    #[cfg(feature = "x")]
    fn foreign(s: *const m::S);
}

pub fn statements(n: u8) -> u8 {
    #[cfg(feature = "x")]
    let a = m::f();
    #[cfg(feature = "x")]
    use m::f;
    #[cfg(feature = "x")]
    fn item() -> u8 {
        m::f()
    }
    #[cfg(feature = "x")]
    println!("{}", m::f());
    #[cfg(feature = "x")]
    m::f();
    #[cfg(feature = "x")]
    if n > m::C {
        m::f();
    }
    #[cfg(feature = "x")]
    {
        m::f();
    }
    #[cfg(feature = "x")]
    for _ in 0..m::C {}
    match n {
        #[cfg(feature = "x")]
        m::C => m::f(),
        #[cfg(feature = "x")]
        n if n > m::C => m::f(),
        _ => 0,
    }
}

fn many(_: &[u8]) {}

pub fn expressions() {
    many(&[
        0,
        #[cfg(feature = "x")]
        m::f(),
    ]);
    let _ = (
        1,
        #[cfg(feature = "x")]
        m::f(),
    );
    let _ = vec![
        1,
        #[cfg(feature = "x")]
        m::f(),
    ];
    let _ = Fields {
        plain: 1,
        #[cfg(feature = "x")]
        gated: m::S(1),
    };
    parameters(
        1,
        #[cfg(feature = "x")]
        m::S(1),
    );
    1u8.max(
        #[cfg(feature = "x")]
        m::f(),
        #[cfg(not(feature = "x"))]
        0,
    );
}

pub fn tail(n: u8) -> u8 {
    #[cfg(feature = "x")]
    {
        m::f()
    }
    #[cfg(not(feature = "x"))]
    {
        n
    }
}

pub fn parameters(n: u8, #[cfg(feature = "x")] s: m::S) {}

pub fn generic<#[cfg(feature = "x")] T: m::T>(#[cfg(feature = "x")] t: T) {}

pub type Pointer = fn(u8, #[cfg(feature = "x")] m::S);
