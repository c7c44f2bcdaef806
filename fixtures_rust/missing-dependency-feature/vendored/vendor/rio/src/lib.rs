#[macro_use]
mod macros;

cfg_net! {
    pub mod net;
}

#[cfg(feature = "sync")]
pub mod sync;

pub mod time;

#[cfg(feature = "low")]
pub use low;

#[cfg(any(feature = "sync", docsrs))]
pub use sync::Mutex;

pub enum Event {
    Tick,
    #[cfg(feature = "net")]
    Packet,
}

#[cfg(unix)]
pub fn unix_only() {}
#[cfg(rio_unstable)]
pub fn unstable() {}

pub mod generated {
    include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/made.rs"));

    #[cfg(feature = "net")]
    pub fn made_or_not() {}
}
