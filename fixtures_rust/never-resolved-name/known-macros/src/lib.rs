//! The package's own macros bring only names in their text: another name is still missing.

macro_rules! define {
    ($name:ident) => {
        pub fn $name() {}
        pub fn fixed() {}
    };
}

define!(made);

#[cfg(feature = "x")]
pub fn go() {
    made();
    fixed();
    missing();
    //~^ CFG012 cfg(feature = "x")
}
