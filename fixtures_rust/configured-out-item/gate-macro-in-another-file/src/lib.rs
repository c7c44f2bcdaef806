//! Gate macros of a `#[macro_use]` module reach every module after it, in whatever file.

#[macro_use]
mod macros;

pub mod runtime;

cfg_rt! {
    pub mod task;
}

pub fn go() {
    task::spawn();
    //~^ CFG001 cfg(not(feature = "rt"))
}
