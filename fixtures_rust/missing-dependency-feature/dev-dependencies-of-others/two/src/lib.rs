//! A cycle through dev-dependencies is none for Cargo.

pub fn go() {}

#[cfg(test)]
mod tests {
    #[test]
    fn both() {
        shared::testing();
        one::go();
        shared::mock();
        //~^ CFG004 cfg(test)
    }
}
