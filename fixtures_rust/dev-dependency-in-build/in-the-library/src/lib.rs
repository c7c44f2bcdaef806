//! A crate that only tests have, used in code that users build.

pub fn always() {
    harness::set_up();
    //~^ CFG005 cfg(not(test))
}

#[cfg(feature = "bench")]
pub fn gated() {
    harness::set_up();
    //~^ CFG005 cfg(all(feature = "bench", not(test)))
}

#[cfg(any(test, feature = "testing"))]
pub mod helpers {
    use harness::set_up;
    //~^ CFG005 cfg(all(feature = "testing", not(test)))

    pub fn all() {
        set_up();
    }
}
