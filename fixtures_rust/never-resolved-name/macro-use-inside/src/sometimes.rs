#![cfg_attr(not(feature = "quiet"), macro_use)]

macro_rules! note {
    ($s:literal) => {
        $s
    };
}
