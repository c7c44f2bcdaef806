//! Every spelling of a predicate that stable Rust takes.

#[cfg(all())]
pub fn always() {}
#[cfg(not(any()))]
pub fn also_always() {}
#[cfg(true)]
pub fn literally() {}
#[cfg(any(false, feature = "a",))]
pub fn with_a() {}
#[cfg(feature = r"a")]
pub fn raw() {}
#[cfg(feature = r#"a"#)]
pub fn raw_with_hash() {}
#[cfg(feature = "a",)]
pub fn trailing_comma() {}
#[cfg(feature = "a")]
#[cfg(feature = "b")]
pub fn conjunction() {}
#[cfg(not(all(feature = "a", not(any(feature = "b", feature = "c-d")))))]
pub fn nested() {}
#[cfg(feature = "c-d")]
pub fn dashed() {}
#[cfg(
    all(
        feature = "a", // a comment
        /* and another */ feature = "b",
    )
)]
pub fn spread() {}

pub fn go() {
    always();
    also_always();
    literally();
    with_a();
    //~^ CFG001 cfg(not(feature = "a"))
    raw();
    //~^ CFG001 cfg(not(feature = "a"))
    raw_with_hash();
    //~^ CFG001 cfg(not(feature = "a"))
    trailing_comma();
    //~^ CFG001 cfg(not(feature = "a"))
    conjunction();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "b")))
    nested();
    //~^ CFG001 cfg(all(feature = "a", not(feature = "b"), not(feature = "c-d")))
    dashed();
    //~^ CFG001 cfg(not(feature = "c-d"))
    spread();
    //~^ CFG001 cfg(not(all(feature = "a", feature = "b")))
}
