//! Macros that only std has.
#![cfg_attr(not(feature = "std"), no_std)]

pub fn print() {
    println!("x");
    //~^ CFG009 cfg(not(feature = "std"))
}

#[cfg(feature = "x")]
pub fn collect() {
    let _ = vec![1];
    //~^ CFG009 cfg(all(feature = "x", not(feature = "std")))
    let _ = format!("x");
    //~^ CFG009 cfg(all(feature = "x", not(feature = "std")))
    let _ = write(format_args!("x"));
    panic!("x");
}

fn write(_: core::fmt::Arguments<'_>) {}

pub fn gated() {
    #[cfg(feature = "std")]
    eprintln!("x");
    let _ = stringify!(println!("x"));
}
