fn main() {
    timed::slow();
    let _ = timed::Both;
    //~^ CFG011 cfg(all(feature = "slow", not(feature = "fast")))
}
