//! `cfg!()` is only a `bool`: both branches are resolved in every build.

#[cfg(feature = "gpu")]
mod gpu {
    pub fn launch() {}
}

pub fn run() {
    if cfg!(feature = "gpu") {
        gpu::launch();
        //~^ CFG001 cfg(not(feature = "gpu"))
    } else {
        cpu();
    }
    let _ = cfg!(feature = "gpu") && fast();
    //~^ CFG001 cfg(not(feature = "gpu"))
}

fn cpu() {}

#[cfg(feature = "gpu")]
fn fast() -> bool {
    true
}

#[cfg(feature = "gpu")]
pub fn same_gate() {
    if cfg!(feature = "gpu") {
        gpu::launch();
    }
}
