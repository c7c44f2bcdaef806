//! Dev-dependencies of a dependency never count, those of the package in its own test builds.

pub fn go() {
    two::go();
}

#[cfg(test)]
mod tests {
    #[test]
    fn mock() {
        shared::mock();
        shared::testing();
        //~^ CFG004 cfg(test)
    }
}
