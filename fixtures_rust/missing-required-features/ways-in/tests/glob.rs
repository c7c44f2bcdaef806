//! The library has a name of its own.

use way::prelude::*;

#[test]
fn extra() {
    let _ = Extra;
    //~^ CFG011 cfg(not(feature = "x"))
    let _ = deep::down::SIZE;
    //~^ FOLLOWS cfg(not(feature = "x"))
}
