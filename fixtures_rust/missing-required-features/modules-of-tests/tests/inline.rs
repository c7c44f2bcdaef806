mod server {
    use shop::serve;
    //~^ CFG011 cfg(not(feature = "server"))

    #[test]
    fn serves() {
        serve();
    }
}

#[cfg(feature = "client")]
mod client {
    #[test]
    fn connects() {
        shop::client::connect();
    }
}
