//! An `if`/`else` macro of the package's own.

macro_rules! either {
    (if #[cfg($yes:meta)] { $($then:item)* } else { $($other:item)* }) => {
        $( #[cfg($yes)] $then )*
        $( #[cfg(not($yes))] $other )*
    };
    (if #[cfg($yes:meta)] { $($then:item)* } else if #[cfg($second:meta)] { $($other:item)* }) => {
        $( #[cfg($yes)] $then )*
        $( #[cfg(all($second, not($yes)))] $other )*
    };
}

either! {
    if #[cfg(feature = "a")] {
        pub fn open() {}
        pub fn only_a() {}
    } else {
        pub fn open() {
            only_a();
            //~^ CFG001 cfg(not(feature = "a"))
        }
    }
}

either! {
    if #[cfg(feature = "a")] {
        mod imp { pub fn close() {} }
    } else if #[cfg(feature = "b")] {
        mod imp { pub fn close() {} }
    }
}

pub fn go() {
    open();
    imp::close();
    //~^ CFG001 cfg(not(any(feature = "a", feature = "b")))
}
