//! A glob brings what its importer may see: the private alternative is not among it.

mod backend {
    #[cfg(feature = "open")]
    pub fn connect() {}
    #[cfg(not(feature = "open"))]
    #[allow(dead_code)]
    fn connect() {}
}

use backend::*;

pub fn start() {
    connect();
    //~^ CFG001 cfg(not(feature = "open"))
}
