//! Inherited features and own ones add up; `default-features = true` wins over the workspace.

pub fn go() {
    codec::fast();
    codec::text();
    codec::json();
    //~^ CFG004 cfg(not(feature = "json"))
    codec::slow();
    //~^ CFG004 cfg(all())
    bare::std();
}
