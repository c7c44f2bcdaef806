//! Associated functions and constants by path: on the type, through an alias, through `Self`, in a gated impl.

pub struct Engine;
pub type Motor = Engine;

impl Engine {
    #[cfg(feature = "x")]
    pub fn start() -> Engine {
        Engine
    }
    #[cfg(feature = "x")]
    pub const POWER: u8 = 1;
    pub fn stop() {
        Self::start();
        //~^ CFG006 cfg(not(feature = "x"))
    }
}

#[cfg(feature = "y")]
impl Engine {
    pub fn turbo() -> u8 {
        Self::POWER
        //~^ CFG006 cfg(all(feature = "y", not(feature = "x")))
    }
}

pub fn go() {
    Engine::start();
    //~^ CFG006 cfg(not(feature = "x"))
    Motor::turbo();
    //~^ CFG006 cfg(not(feature = "y"))
    let _ = crate::Engine::POWER;
    //~^ CFG006 cfg(not(feature = "x"))
    let _: Vec<Engine> = vec![()].into_iter().map(|()| Engine::stop()).map(|()| Engine).collect();
}

#[cfg(feature = "x")]
pub fn gated() {
    Engine::start();
}
