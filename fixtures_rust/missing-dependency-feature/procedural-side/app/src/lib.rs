//! A procedural macro is built for the host: what it turns on in a common dependency is not there for the target.

#[macros::marked]
pub fn go() {
    shared::plain();
    shared::full();
    //~^ CFG004 cfg(not(feature = "full"))
}

#[cfg(feature = "parse")]
pub fn parse() {
    shared::parse();
    //~^ CFG004 cfg(feature = "parse")
}
