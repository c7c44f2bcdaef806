//! A local variable under a gate, used without it; and the item behind it where there is one.

pub fn count(values: &[u8]) -> usize {
    #[cfg(feature = "stats")]
    let seen = values.len();
    #[cfg(feature = "stats")]
    let twice = seen * 2;
    seen
    //~^ CFG001 cfg(not(feature = "stats"))
}

pub fn alternatives(values: &[u8]) -> usize {
    #[cfg(feature = "stats")]
    let seen = values.len();
    #[cfg(not(feature = "stats"))]
    let seen = 0;
    seen
}

#[cfg(feature = "log")]
static LEVEL: usize = 1;

pub fn falls_back() -> usize {
    #[cfg(feature = "stats")]
    #[allow(non_snake_case)]
    let level = 2;
    #[cfg(not(feature = "stats"))]
    let level = LEVEL;
    //~^ CFG001 cfg(all(not(feature = "stats"), not(feature = "log")))
    level
}

pub fn parameter(#[cfg(feature = "stats")] seed: u8) -> u8 {
    #[cfg(feature = "log")]
    return seed;
    //~^ CFG001 cfg(all(feature = "log", not(feature = "stats")))
    0
}
