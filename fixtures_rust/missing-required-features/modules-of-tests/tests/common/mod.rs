//! Shared by several tests, of which one requires what this file needs.

pub fn connect() -> shop::client::Client {
    //~^ CFG011 cfg(not(feature = "client"))
    shop::address();
    shop::client::connect()
    //~^ FOLLOWS cfg(not(feature = "client"))
}
