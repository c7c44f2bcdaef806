//! How the dependency gates what it has: macros, files, modules, its root, visibility, nested globs.

pub fn gate_macros() {
    codec::by_cfg_if();
    codec::only_in_cfg_if();
    //~^ CFG004 cfg(not(feature = "fast"))
    codec::by_own_macro();
    //~^ CFG004 cfg(not(feature = "fast"))
    codec::made();
    //~^ CFG004 cfg(not(feature = "fast"))
    codec::selected();
    //~^ CFG004 cfg(not(feature = "fast"))
}

pub fn files() {
    codec::file::here();
    codec::file::gated_inside();
    //~^ CFG004 cfg(not(feature = "fast"))
    codec::inner::gone();
    //~^ CFG004 cfg(not(feature = "fast"))
}

pub fn root_is_gated() {
    whole::all();
    //~^ CFG004 cfg(not(feature = "on"))
}

#[cfg(feature = "on")]
pub use whole::all;

pub fn two_gates_on_the_way() {
    codec::outer::middle::leaf();
    //~^ CFG004 cfg(not(feature = "fast"))
}

pub fn unknown_contents() {
    codec::generated::included();
    codec::generated::included_or_not();
    //~^ CFG004 cfg(feature = "fast")
}

pub fn chains() {
    codec::api::v2::call();
    codec::api::v1::call();
    //~^ CFG004 cfg(not(feature = "fast"))
    codec::api::latest();
    codec::api::oldest();
    //~^ CFG004 cfg(not(feature = "fast"))
}

pub mod own_glob_and_item {
    pub use codec::everything::*;

    #[cfg(not(feature = "fast"))]
    pub fn quick() {}

    #[cfg(feature = "x")]
    pub fn go() {
        quick();
    }
}

pub mod shadowed {
    pub use codec::everything::*;

    pub fn quick() {}

    pub fn go() {
        quick();
    }
}
