pub fn always() {}

#[cfg(feature = "core")]
pub fn io_core() {}

#[cfg(feature = "io")]
pub mod io {
    pub fn read() {}
}

#[cfg(feature = "tls")]
pub mod tls {
    pub fn connect() {}
}

#[cfg(feature = "http1")]
pub fn http1() {}

#[cfg(feature = "http2")]
pub fn http2() {}

#[cfg(any(feature = "tls", all(feature = "http1", feature = "http2")))]
pub fn tls_or_http() {}

#[cfg(feature = "metrics")]
pub mod metrics {
    pub fn count() {}
}
