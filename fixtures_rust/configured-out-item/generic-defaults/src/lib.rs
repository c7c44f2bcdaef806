//! Types in defaults, in bounds of associated types and in `impl` headers.

pub mod m {
    #[cfg(feature = "x")]
    pub struct Global;
    #[cfg(feature = "x")]
    pub trait Allocator {}
    #[cfg(feature = "x")]
    impl Allocator for Global {}
}

pub struct Stack<T, A = m::Global>(pub T, pub A);
//~^ CFG001 cfg(not(feature = "x"))

pub trait Store {
    type Alloc: m::Allocator;
    //~^ CFG001 cfg(not(feature = "x"))
}

impl<A: m::Allocator> Stack<u8, A> {}
//~^ CFG001 cfg(not(feature = "x"))

impl From<m::Global> for u8 {
    //~^ CFG001 cfg(not(feature = "x"))
    fn from(_: m::Global) -> u8 {
        //~^ CFG001 cfg(not(feature = "x"))
        0
    }
}

pub fn returned() -> Result<impl Fn(m::Global), Box<dyn m::Allocator>> {
    //~^ CFG001 cfg(not(feature = "x"))
    Ok(|_| ())
}
