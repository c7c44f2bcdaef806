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

pub fn top_level() {}
#[cfg(feature = "a")]
pub fn gated_top_level() {}
#[cfg(feature = "b")]
pub const LIMIT: u32 = 1;

pub mod rooted {
    use gated_top_level as renamed;
    //~^ CFG001 cfg(not(feature = "a"))
    #[cfg(feature = "b")]
    pub fn go() {
        ::top_level();
        ::gated_top_level();
        //~^ CFG001 cfg(all(feature = "b", not(feature = "a")))
        ::LIMIT;
        ::undefined();
        //~^ CFG012 cfg(feature = "b")
        renamed();
        ::rooted::renamed();
    }
}
