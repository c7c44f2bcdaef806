//! One dependency in several tables is there where any of them is in force.

pub fn go() {
    codec::encode();
    //~^ CFG003 cfg(all(windows, not(feature = "codec")))
    paths::root();
}
