//! `self.field` and `self.method()`: the type is known without inference.

use std::ops::Deref;

pub struct Engine {
    pub speed: u8,
    #[cfg(feature = "gpu")]
    pub device: u8,
    #[cfg(feature = "log")]
    lines: Vec<String>,
}

impl Engine {
    #[cfg(feature = "gpu")]
    fn launch(&mut self) -> u8 {
        self.device
    }

    #[cfg(feature = "gpu")]
    fn generic<T>(&self) {}

    pub fn run(&mut self) -> u8 {
        let device = self.device;
        //~^ CFG006 cfg(not(feature = "gpu"))
        let launched = self.launch();
        //~^ CFG006 cfg(not(feature = "gpu"))
        self.generic::<u8>();
        //~^ CFG006 cfg(not(feature = "gpu"))
        #[cfg(feature = "log")]
        self.lines.push(String::new());
        self.speed + device + launched
    }

    pub fn in_a_closure(&self) -> usize {
        [1u8].iter().filter(|n| **n == self.device).count()
        //~^ CFG006 cfg(not(feature = "gpu"))
    }

    pub fn in_a_macro(&self) {
        assert_eq!(self.device, 1);
        //~^ CFG006 cfg(not(feature = "gpu"))
        println!("{}", self.lines.len());
        //~^ CFG006 cfg(not(feature = "log"))
    }

    pub fn boxed(self: Box<Self>) -> u8 {
        self.speed
    }

    pub fn gated_where_it_must_be(&self) -> u8 {
        #[cfg(feature = "gpu")]
        return self.device;
        #[cfg(not(feature = "gpu"))]
        self.speed
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        self.lines.clear();
        //~^ CFG006 cfg(not(feature = "log"))
    }
}

pub trait Count {
    fn count(&self) -> usize {
        0
    }
    fn twice(&self) -> usize {
        self.count() * 2
    }
}

pub struct Tally;

impl Tally {
    #[cfg(feature = "log")]
    pub fn count(&self) -> usize {
        1
    }

    pub fn from_the_trait(&self) -> usize {
        self.count()
    }
}

impl Count for Tally {}

pub struct Inner {
    pub device: u8,
}

impl Inner {
    pub fn start(&self) {}
}

pub struct Wrapper {
    #[cfg(feature = "gpu")]
    pub device: u8,
    pub inner: Inner,
}

impl Deref for Wrapper {
    type Target = Inner;
    fn deref(&self) -> &Inner {
        &self.inner
    }
}

impl Wrapper {
    #[cfg(feature = "gpu")]
    pub fn start(&self) {}

    pub fn through(&self) -> u8 {
        self.start();
        self.device
    }
}

macro_rules! starts {
    ($name:ident) => {
        #[cfg(not(feature = "gpu"))]
        pub fn $name(&self) {}
    };
}

pub struct Made;

impl Made {
    #[cfg(feature = "gpu")]
    pub fn begin(&self) {}
    starts!(begin);

    pub fn go(&self) {
        self.begin();
        Self::begin(self);
    }
}
