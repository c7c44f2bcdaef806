//! A dependency whose source lies in `vendor/`: its features decide what is there, as those of members do.

use rio::time::{now, sleep};

pub fn always() {
    now();
    sleep();
    let _ = rio::Event::Tick;
}

pub fn modules() {
    rio::net::listen();
    //~^ CFG004 cfg(not(feature = "net"))
    let _: rio::net::Stream;
    //~^ CFG004 cfg(not(feature = "net"))
    let _: rio::Mutex;
    //~^ CFG004 cfg(not(any(feature = "net", feature = "sync")))
}

#[cfg(feature = "net")]
pub mod gated {
    use rio::net::{listen, LowStream, Stream};
    //~^ CFG004 cfg(all(feature = "net", not(feature = "low")))

    pub fn go(_: Stream, _: Option<LowStream>) {
        listen();
        rio::packet!();
    }
}

#[cfg(feature = "sync")]
pub use rio::{sync, Mutex};

pub fn through_another() {
    rio::low::plain();
    //~^ CFG004 cfg(not(feature = "low"))
}

#[cfg(feature = "low")]
pub fn of_another() {
    rio::low::wide();
    rio::low::plain();
}

#[cfg(feature = "sync")]
pub mod globs {
    use rio::*;

    pub fn go(_: Mutex) {
        unix_only();
    }
}

pub fn variant() -> rio::Event {
    rio::Event::Packet
    //~^ CFG006 cfg(not(feature = "net"))
}

pub fn not_a_matter_of_features() {
    rio::generated::made();
    rio::generated::made_or_not();
    rio::unix_only();
}
