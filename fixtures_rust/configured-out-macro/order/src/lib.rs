//! Several definitions of one macro: the last live one before the call counts, so a gated second one hides nothing.

macro_rules! level {
    () => {
        0
    };
}

pub fn first() -> u8 {
    level!()
}

#[cfg(feature = "log")]
macro_rules! level {
    () => {
        1
    };
}

pub fn second() -> u8 {
    level!()
}

#[cfg(feature = "log")]
macro_rules! sink {
    () => {
        1
    };
}
#[cfg(not(feature = "log"))]
macro_rules! sink {
    () => {
        2
    };
}

pub fn third() -> u8 {
    sink!()
}
