pub fn plain() {}

#[cfg(feature = "net")]
pub mod net {
    pub fn connect() {}
    #[cfg(feature = "tls")]
    pub fn secure() {}
}

#[cfg(feature = "zip")]
pub fn pack() {}
