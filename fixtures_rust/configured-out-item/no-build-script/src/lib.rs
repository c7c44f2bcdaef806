//! `build = false`: the file is not a build script, whatever its name.

#[cfg(all(feature = "x", not(ready)))]
pub fn unready() {}

#[cfg(not(ready))]
pub fn go() {
    unready();
    //~^ CFG001 cfg(not(feature = "x"))
}
