//! Gated code that names a type or a trait nobody imported: its builds fail, all of them.

#[cfg(feature = "gpu")]
pub fn launch(_: &Device) {}
//~^ CFG012 cfg(feature = "gpu")

#[cfg(all(feature = "gpu", feature = "x"))]
pub fn count() {
    let _: u8 = HashMap::new();
    //~^ CFG012 cfg(all(feature = "gpu", feature = "x"))
    let _ = Ordering::Less;
    //~^ CFG012 cfg(all(feature = "gpu", feature = "x"))
}

pub mod device {
    pub struct Device;
}

#[cfg(feature = "x")]
pub fn imported_inside() {
    use device::Device;
    use std::collections::HashMap;
    let _ = (Device, HashMap::<u8, u8>::new());
}

#[cfg(feature = "x")]
pub mod child {
    pub fn go() {
        super::device::Device;
        crate::devices::open();
        //~^ CFG012 cfg(feature = "x")
        undefined();
        //~^ CFG012 cfg(feature = "x")
    }
}
