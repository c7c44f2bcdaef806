use programs::server::serve;
//~^ CFG011 cfg(not(feature = "server"))

fn main() {
    serve();
}
