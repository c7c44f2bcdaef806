//! In the 2015 edition `use` paths and `::` start at the crate root.

pub mod tools {
    #[cfg(feature = "a")]
    pub fn cut() {}
    pub fn glue() {}
}

pub mod user {
    use tools::glue;
    use tools::cut;
    //~^ CFG001 cfg(not(feature = "a"))

    pub fn go() {
        glue();
        cut();
        ::tools::cut();
        //~^ CFG001 cfg(not(feature = "a"))
        super::tools::cut();
        //~^ CFG001 cfg(not(feature = "a"))
    }
}

pub fn top() {
    tools::cut();
    //~^ CFG001 cfg(not(feature = "a"))
}

pub trait Anonymous {
    fn take(u8);
}

pub fn async() {}
pub fn dyn() {
    async();
}

macro_rules! by_name {
    () => {};
}
by_name!();
#[cfg(feature = "a")]
use by_name as renamed;
//~^ CFG012 cfg(feature = "a")
