//! Items that the package's own macros make are there, under the gate of the call.

macro_rules! function {
    ($name:ident) => {
        pub fn $name() {}
    };
}

macro_rules! both {
    ($($name:ident),*) => { $( function!($name); )* };
}

function!(plain);
both!(left, right);

#[cfg(feature = "x")]
function!(gated);

pub fn go() {
    plain();
    left();
    right();
    gated();
    //~^ CFG001 cfg(not(feature = "x"))
}
