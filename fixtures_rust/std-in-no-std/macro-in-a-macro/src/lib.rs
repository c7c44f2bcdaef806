//! A macro that is missing hides what it is given: rustc does not look into it.

#![cfg_attr(not(feature = "std"), no_std)]

pub fn rows() -> usize {
    let rows = vec![
        //~^ CFG009 cfg(not(feature = "std"))
        vec![1u8],
        vec![missing()],
        //~^ CFG001 cfg(feature = "std")
    ];
    rows.len()
}

#[cfg(not(feature = "std"))]
pub fn missing() -> u8 {
    1
}

pub fn checked() {
    assert!(missing() == 1);
    //~^ CFG001 cfg(feature = "std")
}
