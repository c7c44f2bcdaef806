pub fn address() {}
#[cfg(feature = "client")]
pub mod client {
    pub struct Client;
    pub fn connect() -> Client {
        Client
    }
}
#[cfg(feature = "server")]
pub fn serve() {}
