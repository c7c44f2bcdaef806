//! Comments that allow a finding, and comments that allow nothing.
// cfglint: allow-file(CFG012): nothing of the kind is here
//~^ CFG900

#[cfg(feature = "grad")]
pub mod tally {
    pub fn launched() {}
    pub struct Count;
}

mod whole;

// The whole item is allowed, whatever stands between comment and item.
// cfglint: allow(CFG001) counted elsewhere
#[inline]
/// Documentation.
#[cfg(feature = "gpu")]
pub fn launch(_: crate::tally::Count) {
    //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    crate::tally::launched();
    //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
}

#[cfg(feature = "gpu")]
pub fn lines() {
    crate::tally::launched(); // cfglint: allow(configured-out-item) this line only
    //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    crate::tally::launched();
    //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))

    // cfglint: allow(CFG001) this statement only
    let _ = {
        crate::tally::launched();
        //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    };
    crate::tally::launched();
    //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))

    // cfglint: allow(CFG002) the wrong rule
    //~^ CFG900
    crate::tally::launched();
    //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))

    /// cfglint: allow(CFG001) documentation is not read
    fn inner() {
        crate::tally::launched();
        //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    }
    inner();
    // cfglint: allow(CFG001) there is nothing behind
    //~^ CFG900
}

macro_rules! on_gpu {
    ($($item:item)*) => { $(#[cfg(feature = "gpu")] $item)* };
}

on_gpu! {
    // cfglint: allow(CFG001) in a gate macro too
    pub fn in_macro(_: [u8; 4]) {
        crate::tally::launched();
        //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    }

    pub fn behind() {
        crate::tally::launched();
        //~^ CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
    }
}

// cfglint: alow(CFG001) misspelt
//~^ CFG900
// cfglint: allow CFG001
//~^ CFG900
// cfglint: allow(CFG999) no such rule
//~^ CFG900
// cfglint: allow-file(CFG001) too late
//~^ CFG900
pub fn last() {}
