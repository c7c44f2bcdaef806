#[cfg(always_set)]
pub fn always_set() {}
#[cfg(has_text)]
pub fn text() {}
#[cfg(has_vectors)]
pub fn vectors() {}
#[cfg(has_sockets)]
pub fn sockets() {}
#[cfg(probed)]
pub fn probed() {}
#[cfg(has_zip)]
pub fn zip() {}
