//! Items and imports inside blocks: gated, hoisted over the whole block, shadowing what is outside.

pub mod tools {
    pub fn cut() {}
    pub fn glue() {}
    #[cfg(feature = "x")]
    pub fn saw() {}
}

pub fn local_import() {
    #[cfg(feature = "x")]
    use tools::cut;
    cut();
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn failing_local_import() {
    use tools::saw;
    //~^ CFG001 cfg(not(feature = "x"))
    saw();
}

pub fn local_function() {
    early();
    //~^ CFG001 cfg(not(feature = "x"))
    #[cfg(feature = "x")]
    fn early() {}
}

pub fn inner_block() {
    {
        #[cfg(feature = "x")]
        fn scoped() {}
        #[cfg(feature = "x")]
        scoped();
        #[cfg(feature = "y")]
        scoped();
        //~^ CFG001 cfg(all(feature = "y", not(feature = "x")))
    }
    {
        use tools::*;
        glue();
        saw();
        //~^ CFG001 cfg(not(feature = "x"))
    }
}

pub fn local_types() {
    #[cfg(feature = "x")]
    struct Guard;
    let _ = Guard;
    //~^ CFG001 cfg(not(feature = "x"))
}
