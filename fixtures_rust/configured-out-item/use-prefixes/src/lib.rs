//! A prefix that several imports share is missing once; what is missing behind it is missing for itself.

#[cfg(feature = "x")]
pub mod gated {
    pub fn one() {}
    #[cfg(feature = "y")]
    pub fn two() {}

    #[cfg(feature = "y")]
    pub mod deeper {
        pub fn three() {}
        pub fn four() {}
    }
}

pub mod shared {
    use crate::gated::{
        //~^ CFG001 cfg(not(feature = "x"))
        one,
        two,
        //~^ CFG001 cfg(all(feature = "x", not(feature = "y")))
        deeper::{
            //~^ CFG001 cfg(all(feature = "x", not(feature = "y")))
            three,
            four as last,
        },
    };

    pub fn go() {
        one();
        two();
        three();
        last();
    }
}

pub mod alone {
    pub use crate::gated::deeper::three;
    //~^ CFG001 cfg(not(all(feature = "x", feature = "y")))
}

pub mod whole {
    pub use crate::{gated::{self, one}, shared};
    //~^ CFG001 cfg(not(feature = "x"))
}
