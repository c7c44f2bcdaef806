//! Impls against the items that their traits have under the features of the day.

pub mod api {
    pub trait Sink {
        type Error;
        #[cfg(feature = "std")]
        const LIMIT: usize;
        #[cfg(feature = "std")]
        const DEPTH: usize = 8;
        fn push(&mut self, byte: u8);
        #[cfg(feature = "std")]
        fn flush(&mut self);
        #[cfg(feature = "async")]
        fn poll(&mut self) {}
        #[cfg(not(feature = "std"))]
        fn close(&mut self) {}
        #[cfg(feature = "std")]
        fn close(&mut self);
    }
}

use api::Sink as Drain;

pub struct Agreeing;

impl api::Sink for Agreeing {
    type Error = ();
    #[cfg(feature = "std")]
    const LIMIT: usize = 1;
    fn push(&mut self, _: u8) {}
    #[cfg(feature = "std")]
    fn flush(&mut self) {}
    fn close(&mut self) {}
}

pub struct TooMuch;

impl Drain for TooMuch {
    type Error = ();
    const LIMIT: usize = 1;
    //~^ CFG008 cfg(not(feature = "std"))
    const DEPTH: usize = 1;
    //~^ CFG008 cfg(not(feature = "std"))
    fn push(&mut self, _: u8) {}
    fn flush(&mut self) {}
    //~^ CFG008 cfg(not(feature = "std"))
    fn poll(&mut self) {}
    //~^ CFG008 cfg(not(feature = "async"))
    fn close(&mut self) {}
}

pub struct TooLittle;

impl Drain for TooLittle {
    //~^ CFG008 cfg(feature = "std")
    type Error = ();
    fn push(&mut self, _: u8) {}
    #[cfg(all(feature = "std", feature = "async"))]
    fn flush(&mut self) {}
}

#[cfg(feature = "async")]
pub struct Unfinished;

#[cfg(feature = "async")]
impl Drain for Unfinished {
    //~^ CFG008 cfg(feature = "async")
    fn push(&mut self, _: u8) {}
    #[cfg(feature = "std")]
    fn flush(&mut self) {}
}

pub trait Unsized {
    fn here(&self);
    #[cfg(feature = "std")]
    fn never(&self)
    where
        Self: Sized;
}

impl Unsized for str {
    fn here(&self) {}
}

impl Unsized for [u8] {
    fn here(&self) {}
}

macro_rules! rest {
    () => {
        fn second(&self) {}
    };
}

macro_rules! gated {
    ($($item:item)*) => { $( #[cfg(feature = "std")] $item )* };
}

pub trait Two {
    fn first(&self);
    #[cfg(feature = "std")]
    fn second(&self);
}

impl Two for Agreeing {
    fn first(&self) {}
    #[cfg(feature = "std")]
    rest! {}
}

impl Two for TooMuch {
    fn first(&self) {}
    gated! {
        fn second(&self) {}
    }
}
