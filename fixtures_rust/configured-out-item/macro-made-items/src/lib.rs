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

pub mod named_like_a_type {
    function!(f32);
    #[cfg(feature = "x")]
    function!(f64);

    pub fn go() -> core::primitive::f32 {
        f32();
        f64();
        //~^ CFG001 cfg(not(feature = "x"))
        elsewhere();
        1.0
    }

    #[cfg(feature = "x")]
    use super::gated as elsewhere;
    #[cfg(not(feature = "x"))]
    use super::plain as elsewhere;
}
