//! Each alternative has its own visibility; where the private one is live, rustc says E0603.

mod backend {
    #[cfg(feature = "open")]
    pub fn connect() {}
    #[cfg(not(feature = "open"))]
    fn connect() {}

    #[cfg(feature = "open")]
    pub(crate) mod pool {
        pub fn get() {}
    }
    #[cfg(not(feature = "open"))]
    mod pool {
        pub fn get() {}
    }

    pub mod inner {
        #[cfg(feature = "open")]
        pub(in crate::backend) fn near() {}
        #[cfg(not(feature = "open"))]
        pub(super) fn near() {}
    }

    pub fn inside() {
        connect();
        pool::get();
        inner::near();
    }
}

pub fn start() {
    backend::connect();
    //~^ CFG001 cfg(not(feature = "open"))
    backend::pool::get();
    //~^ CFG001 cfg(not(feature = "open"))
    backend::inside();
}
