pub fn run() {}
#[cfg(feature = "args")]
pub fn parse() {}
#[cfg(feature = "server")]
pub mod server {
    pub fn serve() {}
}
