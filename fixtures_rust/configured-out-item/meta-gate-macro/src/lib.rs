//! The gate is an argument: `feature! { #![..] items }`, and with the predicate as a token list.

macro_rules! feature {
    (#![$meta:meta] $($item:item)*) => {
        $( #[cfg($meta)] $item )*
    };
}

macro_rules! when {
    ($condition:meta => $($item:item)*) => {
        $( #[cfg($condition)] $item )*
    };
}

feature! {
    #![all(feature = "a", not(feature = "b"))]

    pub fn one() {}
    pub fn caller() {
        one();
        two();
        //~^ CFG001 cfg(all(feature = "a", not(feature = "b")))
    }
}

when! { feature = "b" =>
    pub fn two() {}
}

pub fn go() {
    one();
    //~^ CFG001 cfg(not(all(feature = "a", not(feature = "b"))))
    two();
    //~^ CFG001 cfg(not(feature = "b"))
}
