//! Macros leave their module by `#[macro_use]`; the gate may be on the macro, the module or the attribute.

#[macro_use]
#[cfg(feature = "a")]
mod gated_module {
    macro_rules! one {
        () => {};
    }
}

#[macro_use]
mod gated_macro;

#[cfg_attr(feature = "b", macro_use)]
mod gated_attribute {
    macro_rules! three {
        () => {};
    }
    pub fn inside() {
        three!();
    }
}

pub mod user;

pub fn go() {
    one!();
    //~^ CFG002 cfg(not(feature = "a"))
    two!();
    //~^ CFG002 cfg(not(feature = "b"))
    three!();
    //~^ CFG002 cfg(not(feature = "b"))
}
