//! The crate is there, its feature is not.

#[cfg(feature = "server")]
pub fn server() {
    net::server();
    codec::base();
}

#[cfg(feature = "client")]
pub fn client() {
    net::connect();
    net::server();
    //~^ CFG004 cfg(all(feature = "client", not(feature = "server")))
}

#[cfg(any(feature = "server", feature = "client"))]
pub mod shared {
    pub use net::{connect, server};
    //~^ CFG004 cfg(all(feature = "client", not(feature = "server")))
}
