//! Compiles in the workspace, where `delta` turns on `seam/gpu`; built alone it does not.

pub fn go() {
    seam::plain();
    seam::launch();
    //~^ CFG004 cfg(all())
}

#[cfg(feature = "gpu")]
pub use seam::Launcher;
//~^ CFG004 cfg(feature = "gpu")
