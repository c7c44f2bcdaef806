pub fn always() {}
#[cfg(feature = "registry")]
pub fn registry() {}
#[cfg(feature = "signals")]
pub fn signals() {}
#[cfg(any(feature = "signals", feature = "registry"))]
pub fn either() {}
#[cfg(feature = "heap")]
pub fn heap() {}
#[cfg(feature = "events")]
pub fn events() {}
