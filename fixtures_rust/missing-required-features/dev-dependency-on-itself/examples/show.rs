fn main() {
    selfish::testing::set_up();
    selfish::extra();
    //~^ CFG011 cfg(not(feature = "extra"))
}
