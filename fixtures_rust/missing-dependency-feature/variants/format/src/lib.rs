pub enum Format {
    Plain,
    #[cfg(feature = "json")]
    Json,
}

impl Format {
    pub fn plain() {}
    #[cfg(feature = "json")]
    pub fn json() {}
}

#[cfg(feature = "json")]
impl Format {
    pub const INDENT: u8 = 4;
}

#[cfg(feature = "json")]
pub struct Mode;
#[cfg(feature = "json")]
impl Mode {
    pub fn new() {}
    pub fn open() {}
}
#[cfg(not(feature = "json"))]
pub struct Mode;
#[cfg(not(feature = "json"))]
impl Mode {
    pub fn new() {}
}
