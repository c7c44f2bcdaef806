//! Members of a trait that a path names by the trait itself.

pub trait Shape {
    #[cfg(feature = "x")]
    fn area(&self) -> u8 {
        1
    }
    fn sides(&self) -> u8;
    fn total(&self) -> u8 {
        Self::sides(self)
    }
}

impl Shape for u8 {
    fn sides(&self) -> u8 {
        3
    }
}

pub fn by_trait(n: u8) -> u8 {
    Shape::area(&n)
    //~^ CFG006 cfg(not(feature = "x"))
}

#[cfg(feature = "y")]
pub fn qualified(n: u8) -> u8 {
    <u8 as Shape>::area(&n)
    //~^ CFG006 cfg(all(feature = "y", not(feature = "x")))
}

pub fn present(n: u8) -> u8 {
    Shape::sides(&n) + <u8 as Shape>::total(&n)
}
