//! In a crate that nothing from outside can add members to, what no definition of the type declares is not there.

pub struct Device(pub u32);

impl Device {
    pub fn open() {}
}

pub mod gpu {
    pub use super::*;
    /// Hides the type of the glob, and has other members.
    pub struct Device;
    impl Device {
        pub const SLOTS: u32 = 1;
    }
    pub enum Mode {
        Fast,
    }
}

#[derive(Clone, PartialEq)]
pub enum Mode {
    Fast,
    #[cfg(feature = "x")]
    Exact,
}

#[cfg(not(feature = "x"))]
pub struct Alternative;
#[cfg(feature = "x")]
pub struct Alternative(pub u32);

pub struct Elsewhere;
impl Elsewhere {
    pub fn launch() {}
}

#[cfg(feature = "x")]
pub fn gated() {
    Device::open();
    gpu::Device::SLOTS;
    gpu::Device::open();
    //~^ CFG012 cfg(feature = "x")
    let _ = Device::SLOTS;
    //~^ CFG012 cfg(feature = "x")
    let _ = Mode::Exact;
    let _ = gpu::Mode::Exact;
    //~^ CFG012 cfg(feature = "x")
    let _ = Mode::clone(&Mode::Fast);
    let _ = Alternative::launch();
    //~^ CFG012 cfg(feature = "x")
    use gpu::Mode::Slow;
    //~^ CFG012 cfg(feature = "x")
}
