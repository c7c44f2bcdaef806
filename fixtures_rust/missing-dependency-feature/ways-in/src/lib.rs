//! Every way to name an item of another crate.

extern crate codec as kodek;

pub fn by_crate_name() -> codec::Plain {
    ::codec::Plain
}

pub fn types(_: codec::Fast) {}
//~^ CFG004 cfg(not(feature = "fast"))

pub fn expression() {
    let _ = kodek::Fast;
    //~^ CFG004 cfg(not(feature = "fast"))
    let _ = kodek::FAST;
    //~^ CFG004 cfg(not(feature = "fast"))
    let _ = codec::fast::Inner { value: 1 };
    //~^ CFG004 cfg(not(feature = "fast"))
}

pub fn pattern(value: u8) -> bool {
    match value {
        codec::FAST => true,
        //~^ CFG004 cfg(not(feature = "fast"))
        _ => false,
    }
}

impl codec::Encode for Own {}
pub struct Own;
impl codec::FastEncode for Own {}
//~^ CFG004 cfg(not(feature = "fast"))

pub fn bound<T: codec::FastEncode>(_: T) {}
//~^ CFG004 cfg(not(feature = "fast"))

pub mod by_glob {
    use codec::*;

    pub fn go() -> Plain {
        Plain
    }

    #[cfg(feature = "x")]
    pub fn fast() -> Fast {
        //~^ CFG004 cfg(all(feature = "x", not(feature = "fast")))
        panic!()
    }
}

pub mod by_module {
    use codec::fast;
    //~^ CFG004 cfg(not(feature = "fast"))

    pub fn go() -> fast::Inner {
        panic!()
    }
}

pub mod by_alias {
    use codec as c;

    #[cfg(feature = "x")]
    pub fn go(_: c::fast::Inner) {}
    //~^ CFG004 cfg(all(feature = "x", not(feature = "fast")))
}

pub mod in_a_block {
    pub fn go() {
        #[cfg(feature = "x")]
        {
            use codec::fast::{self, Inner as Renamed};
            //~^ CFG004 cfg(all(feature = "x", not(feature = "fast")))
            let _: Option<(fast::Inner, Renamed)> = None;
        }
        #[cfg(feature = "fast")]
        let _ = codec::fast::Inner { value: 2 };
    }
}
