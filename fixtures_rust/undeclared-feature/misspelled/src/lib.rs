//! Features that the manifest does not have.

#[cfg(feature = "gpuu")]
//~^ CFG101
pub fn launch() {}

#[cfg_attr(feature = "c_d", inline)]
//~^ CFG101
pub fn dashed() {}

#[cfg(all(
    feature = "gpu",
    not(feature = "GPU"),
    //~^ CFG101
))]
pub fn case() {
    let _ = cfg!(feature = "gp");
    //~^ CFG101
}
