//! Tables of other targets, build- and dev-dependencies count in every build.

pub fn go() {
    gen::runtime();
    gen::codegen();
    gen::registry();
    gen::testing();
    gen::deep();
    //~^ CFG004 cfg(not(feature = "deep"))
}
