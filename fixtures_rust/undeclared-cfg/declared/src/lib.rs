//! What `[lints.rust]` declares, and what it does not.

#[cfg(simulated)]
pub fn simulated() {}
#[cfg(simulated = "yes")]
//~^ CFG102
pub fn simulated_yes() {}

#[cfg(backend = "gl")]
pub fn gl() {}
#[cfg(backend = "metal")]
//~^ CFG102
pub fn metal() {}
#[cfg(backend)]
//~^ CFG102
pub fn backend() {}

#[cfg(any(loose, loose = "whatever"))]
pub fn loose() {}
#[cfg(any(either, either = "x"))]
pub fn either() {}
#[cfg(either = "y")]
//~^ CFG102
pub fn either_y() {}

#[cfg(all(one, two))]
pub fn both() {}
#[cfg(three)]
//~^ CFG102
pub fn third() {}
