//! A dev-dependency on the package itself turns features on for everything that tests build.

#[cfg(feature = "testing")]
pub mod testing {
    pub fn set_up() {}
}

#[cfg(feature = "seeded")]
pub fn seed() {}

#[cfg(feature = "extra")]
pub fn extra() {}

pub fn go() {
    if cfg!(feature = "seeded") {
        seed();
        //~^ CFG001 cfg(not(feature = "seeded"))
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn seeded() {
        crate::seed();
        selfish::testing::set_up();
    }
}
