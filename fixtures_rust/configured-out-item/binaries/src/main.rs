//! `crate` is the binary here.

#[cfg(feature = "cli")]
mod arguments;

fn main() {
    crate::arguments::parse();
    //~^ CFG001 cfg(not(feature = "cli"))
}
