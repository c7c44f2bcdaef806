//! A package without a library: programs see dependencies as a library does.

use base::extra;

fn main() {
    extra();
    base::launch();
    //~^ CFG004 cfg(not(feature = "gpu"))
    odd::go();
    away::always();
    away::gated();
    //~^ CFG004 cfg(all())
    base::std();
    //~^ CFG004 cfg(all())
    #[cfg(feature = "x")]
    odd::base::launch();
    //~^ CFG004 cfg(all(feature = "x", not(feature = "gpu")))
}
