//! An attribute or function-like macro of another crate may bring a name: nothing is reported.

#[kinds::twin]
pub fn first() {}

kinds::named! { second }

#[cfg(feature = "x")]
pub fn go() {
    first();
    first_twin();
    second();
}
