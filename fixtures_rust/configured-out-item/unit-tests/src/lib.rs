//! References that only the unit-test build has; helpers that only it has.

#[cfg(feature = "x")]
pub fn gated() -> u8 {
    1
}

#[cfg(test)]
fn only_in_tests() {}

#[cfg(any(test, feature = "x"))]
pub fn shared() {}

pub fn uses_a_test_helper() {
    only_in_tests();
    //~^ CFG001 cfg(not(test))
}

pub fn uses_shared() {
    shared();
    //~^ CFG001 cfg(all(not(test), not(feature = "x")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one() {
        assert_eq!(gated(), 1);
        //~^ CFG001 cfg(all(test, not(feature = "x")))
        only_in_tests();
        shared();
    }

    #[test]
    #[cfg(feature = "x")]
    fn two() {
        assert_eq!(gated(), 1);
        one();
    }
}
