//! Packages by path that are no members, one of them through a patch and through the other.

pub fn go() {
    near::go();
    near::zip();
    //~^ CFG004 cfg(not(feature = "zip"))
    near::deep::always();
    near::deep::near_turns_on();
    near::deep::tls();
    //~^ CFG004 cfg(not(all(feature = "net", feature = "tls")))
}

#[cfg(feature = "net")]
pub fn net() {
    deep::near_turns_on();
    deep::tls();
    //~^ CFG004 cfg(all(feature = "net", not(feature = "tls")))
}
