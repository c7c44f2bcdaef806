#[cfg(feature = "std")]
pub fn print() {}
#[cfg(feature = "json")]
pub mod json {
    pub fn parse() {}
}
#[cfg(feature = "yaml")]
pub mod yaml {
    pub fn parse() {}
}
