//! Paths that go through traits: qualified, in bounds, as bounds of associated types.

pub mod ext {
    #[cfg(feature = "x")]
    pub trait Size {
        fn size() -> usize;
    }
    #[cfg(feature = "x")]
    impl Size for u8 {
        fn size() -> usize {
            1
        }
    }
    #[cfg(feature = "x")]
    pub trait Object {}
    pub trait Plain {
        type Out;
        fn plain() -> usize {
            0
        }
    }
}

impl ext::Plain for u8 {
    type Out = u8;
}

pub fn qualified() -> usize {
    <u8 as ext::Plain>::plain()
}

pub fn through_a_gated_trait() -> usize {
    <u8 as ext::Size>::size()
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn associated<T: ext::Plain>(_: T::Out) -> usize
where
    T::Out: ext::Size,
    //~^ CFG001 cfg(not(feature = "x"))
{
    T::plain()
}

pub fn higher_ranked(_: &dyn for<'a> Fn(&'a dyn ext::Object)) {}
//~^ CFG001 cfg(not(feature = "x"))
