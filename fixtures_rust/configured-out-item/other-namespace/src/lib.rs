//! The name is still there, in another namespace: a function where a type is meant, a module where a function is meant.

#[cfg(feature = "x")]
pub struct Shape {
    pub sides: u8,
}
#[allow(non_snake_case)]
pub fn Shape() {}

#[cfg(feature = "x")]
pub fn store() {}
pub mod store {}

#[cfg(feature = "x")]
pub trait Draw {}
pub mod types {
    #[cfg(not(feature = "x"))]
    pub struct Draw;
}
use types::*;

pub fn as_a_value() {
    Shape();
}

pub fn as_a_type(_: &Shape) {}
//~^ CFG001 cfg(not(feature = "x"))

pub fn as_a_literal() {
    let _ = Shape { sides: 3 };
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn as_a_call() {
    store();
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn as_a_bound<T: Draw>(_: T) {}
//~^ CFG001 cfg(not(feature = "x"))
