//! A guard inside a gated module excludes only builds that contain the module.

#[cfg(feature = "net")]
pub mod net {
    #[cfg(not(feature = "tls"))]
    compile_error!("`net` needs `tls`");
    //~^ INVALID cfg(all(feature = "net", not(feature = "tls")))

    pub fn open() {
        super::tls::wrap();
    }
}

#[cfg(feature = "tls")]
pub mod tls {
    pub fn wrap() {}
}

#[cfg(feature = "gpu")]
pub fn other() {
    tls::wrap();
    //~^ CFG001 cfg(all(feature = "gpu", not(feature = "net"), not(feature = "tls")))
}
