cfg_rt! {
    mod pool;
    pub use pool::Pool;
}

cfg_not_rt! {
    pub fn current() -> Pool {
        //~^ CFG001 cfg(not(feature = "rt"))
        loop {}
    }
}
