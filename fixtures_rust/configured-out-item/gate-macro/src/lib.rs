//! `macro_rules!` that put a gate around the items they are given.

macro_rules! cfg_rt {
    ($($item:item)*) => {
        $(
            #[cfg(feature = "rt")]
            $item
        )*
    };
}

macro_rules! cfg_net {
    ($($item:item)*) => { $( #[cfg(feature = "net")] #[allow(dead_code)] $item )* };
}

cfg_rt! {
    pub mod task {
        pub fn spawn() {}
    }
    pub use task::spawn;

    pub fn block_on() {
        spawn();
        poll();
        //~^ CFG001 cfg(all(feature = "rt", not(feature = "net")))
    }
}

cfg_net! {
    pub fn poll() {
        task::spawn();
        //~^ CFG001 cfg(all(feature = "net", not(feature = "rt")))
    }
}

pub fn ungated() {
    spawn();
    //~^ CFG001 cfg(not(feature = "rt"))
}
