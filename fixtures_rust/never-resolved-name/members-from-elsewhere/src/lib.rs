//! Members that come by a trait, by a derive, from the standard library or out of a macro: all of them are there.

pub trait Named {
    const NAME: &'static str = "named";
    fn name() -> &'static str {
        Self::NAME
    }
}

pub trait Everywhere {
    fn everywhere() {}
}
impl<T> Everywhere for T {}

macro_rules! count {
    ($type:ident $name:ident) => {
        impl $type {
            pub fn $name() -> usize {
                0
            }
        }
    };
}

macro_rules! constant {
    ($name:ident) => {{
        impl Plain {
            pub const $name: u32 = 1;
        }
        1
    }};
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Plain;
impl Named for Plain {}
count!(Plain size);
pub const ONE: u32 = constant!(SIZE);

pub struct Counter;
impl Iterator for Counter {
    type Item = u32;
    fn next(&mut self) -> Option<u32> {
        None
    }
}

pub type Short = Plain;

#[cfg(feature = "x")]
pub fn gated() {
    let _ = (Plain::NAME, Plain::name(), Plain::size(), Plain::default(), Plain::SIZE);
    Plain::everywhere();
    let _ = (<Plain as Into<Plain>>::into(Plain), Plain::from(Plain), Plain::type_id, Plain::hash::<std::collections::hash_map::DefaultHasher>);
    let _ = (Counter::size_hint(&Counter), Counter::take(Counter, 1), Counter::into_iter(Counter));
    let _ = (Short::NAME, Short::eq(&Plain, &Plain), Short::cmp(&Plain, &Plain));
    use std::any::Any;
    use std::hash::Hash;
    let _ = Plain.type_id();
}
