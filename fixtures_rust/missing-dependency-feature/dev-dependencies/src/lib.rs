//! What dev-dependencies turn on is there in test builds only.

pub fn go() {
    store::open();
    store::testing();
    //~^ CFG004 cfg(not(test))
    store::seeded();
    //~^ CFG004 cfg(not(test))
    store::mock();
    //~^ CFG004 cfg(not(feature = "mock"))
}

#[cfg(test)]
mod tests {
    #[test]
    fn unit() {
        store::testing();
        store::seeded();
        store::mock();
        //~^ CFG004 cfg(all(test, not(feature = "mock")))
    }
}
