//! The member comes from elsewhere when the gated one is off: a trait, a derive, another impl block. Nothing fails.

pub trait Make {
    fn make() -> Self;
    const SIZE: u8 = 2;
    fn provided() {}
}

#[derive(Default, Clone)]
pub struct Engine;

impl Make for Engine {
    fn make() -> Engine {
        Engine
    }
}

#[cfg(feature = "x")]
impl Engine {
    pub fn make() -> Engine {
        Engine
    }
    pub fn default() -> Engine {
        Engine
    }
    pub const SIZE: u8 = 1;
    pub fn provided() {}
    pub fn clone(&self) -> Engine {
        Engine
    }
}

#[cfg(feature = "x")]
impl Engine {
    pub fn tune() {}
}
#[cfg(not(feature = "x"))]
impl Engine {
    pub fn tune() {}
}

pub fn go() {
    Engine::make();
    Engine::default();
    Engine::provided();
    Engine::tune();
    let _ = Engine::SIZE;
    let _ = Engine::clone(&Engine);
}
