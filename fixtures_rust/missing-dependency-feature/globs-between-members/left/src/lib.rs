pub fn only_left() {}
#[cfg(feature = "json")]
pub fn from_either() {}
#[cfg(feature = "json")]
pub fn json() {}
pub enum Kind {
    Plain,
    #[cfg(feature = "json")]
    Json,
}
pub mod deep {
    pub fn here() {}
    #[cfg(feature = "json")]
    pub fn gated() {}
    pub mod very {
        #[cfg(feature = "json")]
        pub use super::gated;
    }
}
