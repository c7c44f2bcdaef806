//! Locals, parameters and generics of the same name take precedence over the gated item.

#[cfg(feature = "x")]
pub fn helper() -> u8 {
    1
}
#[cfg(feature = "x")]
pub struct T;
#[cfg(feature = "x")]
pub const N: usize = 1;
#[cfg(feature = "x")]
pub mod point {}

pub fn local() -> u8 {
    let helper = || 2;
    helper()
}

pub fn parameter(helper: fn() -> u8) -> u8 {
    helper()
}

pub fn closure() -> u8 {
    let apply = |helper: fn() -> u8, (point, _): (u8, u8)| helper() + point;
    apply(|| 1, (1, 2))
}

pub fn by_match(value: Option<u8>) -> u8 {
    match value {
        Some(helper) if helper > 1 => helper,
        Some(helper @ 0..=1) => helper,
        _ => 0,
    }
}

pub fn by_loops(values: &[u8]) -> u8 {
    let mut sum = 0;
    for helper in values {
        sum += helper;
    }
    while let Some(helper) = values.first() {
        return *helper;
    }
    if let [helper, ..] = values {
        sum += helper;
    }
    let Some(helper) = values.last() else { return sum };
    sum + helper
}

pub fn type_parameter<T: Default>() -> T {
    T::default()
}

pub fn const_parameter<const N: usize>() -> [u8; N] {
    [0; N]
}

pub struct Wrapper<T>(pub T);

impl<T: Clone> Wrapper<T> {
    pub fn copy(&self) -> T {
        T::clone(&self.0)
    }
}

pub trait Make {
    type T;
    fn make<T>(t: T) -> T {
        t
    }
}

pub fn destructured() -> u8 {
    struct Pair {
        helper: u8,
    }
    let Pair { helper } = Pair { helper: 1 };
    helper
}
