//! `cfg_if!` of the crate of that name, by import and by path.

use cfg_if::cfg_if;

cfg_if! {
    if #[cfg(feature = "a")] {
        mod imp;
        pub use imp::run;
    } else if #[cfg(feature = "b")] {
        pub fn run() {}
        pub fn only_b() {}
    } else {
        pub fn idle() {}
    }
}

cfg_if::cfg_if! {
    if #[cfg(all(feature = "a", feature = "b"))] {
        pub fn both() {
            only_b();
            //~^ CFG001 cfg(all(feature = "a", feature = "b"))
        }
    }
}

pub fn go() {
    run();
    //~^ CFG001 cfg(not(any(feature = "a", feature = "b")))
}

#[cfg(feature = "b")]
pub fn with_b() {
    run();
    only_b();
    //~^ CFG001 cfg(all(feature = "a", feature = "b"))
}
