//! The code and the feature table know a dependency by its key; `[lib] name` counts where nothing is renamed.

#[cfg(feature = "quick")]
pub fn quick() {
    my_codec::fast();
}

pub fn plain() {
    my_codec::encode();
    my_codec::fast();
    //~^ CFG004 cfg(not(feature = "quick"))
}

#[cfg(feature = "log")]
pub fn log() {
    tracing::event();
    tracing::span();
    //~^ CFG004 cfg(feature = "log")
}

pub fn named() {
    other_name::always();
    other_name::gated();
    //~^ CFG004 cfg(all())
}
