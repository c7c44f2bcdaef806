//! Generic, unused and constant code is resolved all the same.
#![allow(dead_code)]

#[cfg(feature = "x")]
pub mod gated {
    pub const N: usize = 1;
    pub fn f() -> usize {
        1
    }
    pub trait Shape {}
}

fn unused() {
    gated::f();
    //~^ CFG001 cfg(not(feature = "x"))
}

fn generic<T>(_: T) {
    gated::f();
    //~^ CFG001 cfg(not(feature = "x"))
}

const SIZE: usize = gated::N;
//~^ CFG001 cfg(not(feature = "x"))

enum Discriminant {
    A = gated::N as isize,
    //~^ CFG001 cfg(not(feature = "x"))
}

trait Defaults {
    const K: usize = gated::N;
    //~^ CFG001 cfg(not(feature = "x"))
    fn provided(&self) -> usize {
        gated::f()
        //~^ CFG001 cfg(not(feature = "x"))
    }
}

fn after_return() -> usize {
    return 1;
    #[allow(unreachable_code)]
    gated::f()
    //~^ CFG001 cfg(not(feature = "x"))
}

async fn later() {
    async { gated::f() }.await;
    //~^ CFG001 cfg(not(feature = "x"))
}

fn qualified<T>() -> usize {
    let _ = <[u8; gated::N]>::default;
    //~^ CFG001 cfg(not(feature = "x"))
    std::mem::size_of::<Option<&dyn gated::Shape>>()
    //~^ CFG001 cfg(not(feature = "x"))
}
