//! Nothing is added to what the workspace says; what the other member asks for does not count here.

pub fn go() {
    codec::fast();
    codec::text();
    //~^ CFG004 cfg(all())
    bare::std();
    //~^ CFG004 cfg(not(feature = "std"))
}
