#![macro_use]

macro_rules! trace {
    ($s:literal) => {
        $s
    };
}
