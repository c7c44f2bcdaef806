//! Names and macros of the std prelude that `core` does not have.
#![cfg_attr(not(feature = "std"), no_std)]

pub fn text() -> String {
    //~^ CFG009 cfg(not(feature = "std"))
    loop {}
}

pub fn list(_: &Vec<u8>, _: Option<u8>) {}
//~^ CFG009 cfg(not(feature = "std"))

pub fn boxed() {
    let _ = Box::new(1);
    //~^ CFG009 cfg(not(feature = "std"))
    let _ = Some(1).map(Ok::<u8, u8>);
}

pub trait Show: ToString {}
//~^ CFG009 cfg(not(feature = "std"))

#[cfg(feature = "std")]
pub fn covered() -> String {
    format!("{:?}", Vec::<Box<u8>>::new())
}

pub fn core_has_these<T: Clone + Iterator + From<u8>>(_: T) -> Result<(), &'static str> {
    assert!(true);
    debug_assert_eq!(1, 1);
    let _ = matches!(1, 1);
    let _ = concat!("a", "b");
    Err("no")
}
