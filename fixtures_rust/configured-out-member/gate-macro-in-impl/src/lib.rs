//! Gate macros inside an impl block.

macro_rules! cfg_a {
    ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* };
}

pub struct Engine;

impl Engine {
    cfg_a! {
        pub fn start() {}
        pub const POWER: u8 = 1;
    }
    pub fn stop() {}
}

pub fn go() {
    Engine::start();
    //~^ CFG006 cfg(not(feature = "a"))
    Engine::stop();
}

#[cfg(feature = "b")]
pub fn power() -> u8 {
    Engine::POWER
    //~^ CFG006 cfg(all(feature = "b", not(feature = "a")))
}
