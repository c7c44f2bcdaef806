// cfglint: allow-file(CFG001, CFG002) the counters are on their way
//~^ CFG900

#[cfg(feature = "gpu")]
pub fn forward() {
    crate::tally::launched();
    //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
}

#[cfg(feature = "gpu")]
pub fn backward() {
    crate::tally::launched();
    //~^ FUTURE CFG001 cfg(all(feature = "gpu", not(feature = "grad")))
}
