//! `cfg_select!` in item, statement and expression position: the first true arm, `_` for the rest.

cfg_select! {
    feature = "a" => {
        mod imp {
            pub fn run() {}
        }
        pub fn only_a() {}
    }
    feature = "b" => {
        mod imp {
            pub fn run() {
                crate::only_a();
                //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
            }
        }
        pub fn only_b() {}
    }
    _ => {
        pub fn neither() {}
    }
}

pub fn go() {
    imp::run();
    //~^ CFG001 cfg(not(any(feature = "a", feature = "b")))
}

pub fn statement() {
    std::cfg_select! {
        all(feature = "a", feature = "b") => {
            only_b();
            //~^ CFG001 cfg(all(feature = "a", feature = "b"))
        }
        _ => {}
    }
}

pub fn expression() -> u8 {
    core::cfg_select! {
        feature = "b" => value(),
        //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
        any(feature = "a", true) => { 1 }
    }
}

#[cfg(feature = "a")]
fn value() -> u8 {
    2
}

#[cfg(not(any(feature = "a", feature = "b")))]
pub fn none() {
    neither();
}

#[macro_export]
macro_rules! two {
    () => {
        2
    };
}
pub use two as renamed;

/// What a macro in an arm may declare is declared there, and not beside the function.
pub fn operand() -> u8 {
    let first = cfg_select! {
        feature = "b" => { crate::renamed!() }
        _ => 0,
    };
    first + value()
    //~^ CFG001 cfg(not(feature = "a"))
}
