//! The 2015 edition: `extern crate`, and paths from the root in imports.

extern crate core_of_all;

use core_of_all::std;
use core_of_all::launch;
//~^ CFG004 cfg(not(feature = "gpu"))

pub mod inner {
    pub fn go() {
        ::core_of_all::std();
        ::core_of_all::extra();
        //~^ CFG004 cfg(all())
        ::std();
        ::launch();
    }
}
