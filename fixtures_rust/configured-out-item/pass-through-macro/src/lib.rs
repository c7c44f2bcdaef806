//! A macro that emits its tokens as they are: items in it are items, with the gates written there.

macro_rules! always {
    ($($t:tt)*) => {
        $($t)*
    };
}

always! {
    #[cfg(feature = "x")]
    pub fn gated() {}
    pub fn plain() {}
}

pub fn go() {
    plain();
    gated();
    //~^ CFG001 cfg(not(feature = "x"))
}

always! {
    #[cfg(feature = "y")]
    pub fn inside() {
        plain();
        gated();
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    }
}
