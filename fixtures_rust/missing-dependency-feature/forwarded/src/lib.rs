//! Features of a dependency that are asked for, forwarded, implied there, or forgotten.

pub fn always() {
    net::always();
    net::io::read();
    net::io_core();
    net::tls::connect();
    //~^ CFG004 cfg(not(feature = "tls"))
}

#[cfg(feature = "tls")]
pub fn secured() {
    net::tls::connect();
    net::http1();
    //~^ CFG004 cfg(all(feature = "tls", not(feature = "http")))
}

#[cfg(feature = "http")]
pub mod http {
    use net::{always, http1, http2};

    pub fn go() {
        always();
        http1();
        http2();
    }
}

#[cfg(feature = "all")]
pub fn implied() {
    net::tls::connect();
    net::http2();
}

#[cfg(feature = "metrics")]
pub fn metrics() {
    net::metrics::count();
    //~^ CFG004 cfg(feature = "metrics")
}

#[cfg(any(feature = "tls", feature = "http"))]
pub use net::tls_or_http;

#[cfg(feature = "metrics")]
pub use net::tls::{self, connect};
//~^ CFG004 cfg(all(feature = "metrics", not(feature = "tls")))
