//! Struct expressions and patterns against the fields of the day.

use std::fmt::Debug;

#[derive(Clone, Debug, Default)]
pub struct Config {
    pub threads: usize,
    #[cfg(feature = "gpu")]
    pub device: u8,
    #[cfg(feature = "log")]
    pub level: u8,
}

impl Config {
    pub fn agreeing() -> Self {
        Self {
            threads: 1,
            #[cfg(feature = "gpu")]
            device: 0,
            #[cfg(feature = "log")]
            level: 2,
        }
    }

    pub fn without_any() -> Config {
        Config { threads: 1 }
        //~^ CFG007 cfg(any(feature = "gpu", feature = "log"))
    }

    pub fn with_all() -> Config {
        Config {
            threads: 1,
            device: 0,
            //~^ CFG006 cfg(not(feature = "gpu"))
            level: 1,
            //~^ CFG006 cfg(not(feature = "log"))
        }
    }

    pub fn with_a_base() -> Config {
        Config {
            threads: 3,
            ..Config::default()
        }
    }

    pub fn shorthand(threads: usize, device: u8) -> Config {
        Config {
            threads,
            device,
            //~^ CFG006 cfg(not(feature = "gpu"))
            ..Default::default()
        }
    }
}

pub fn taken_apart(config: &Config) -> usize {
    let Config {
        threads,
        #[cfg(feature = "gpu")]
        device: _,
        #[cfg(feature = "log")]
        level: _,
    } = config;
    let Config { threads: again, .. } = config;
    *threads + *again
}

pub fn partly(config: &Config) -> usize {
    match config {
        Config {
        //~^ CFG007 cfg(feature = "log")
            threads,
            #[cfg(feature = "gpu")]
            device: _,
        } => *threads,
    }
}

pub fn too_much(config: &Config) -> u8 {
    let Config { device, .. } = config;
    //~^ CFG007 cfg(not(feature = "gpu"))
    *device
}

pub type Alias = Config;

pub fn through_an_alias() -> Alias {
    Alias { threads: 1, ..Config::default() }
}

pub enum Event {
    Launched {
        name: &'static str,
        #[cfg(feature = "gpu")]
        device: u8,
    },
}

pub fn launched() -> Event {
    Event::Launched { name: "it" }
    //~^ CFG007 cfg(feature = "gpu")
}

pub fn launched_on(event: &Event) -> u8 {
    match event {
        Event::Launched { device, .. } => *device,
        //~^ CFG007 cfg(not(feature = "gpu"))
    }
}

#[cfg(feature = "gpu")]
pub struct Device {
    pub id: u8,
    pub name: &'static str,
}

#[cfg(feature = "gpu")]
pub fn never_complete() -> Device {
    Device { id: 1 }
    //~^ CFG007 cfg(feature = "gpu")
}

pub struct Generic<T> {
    pub value: T,
    #[cfg(feature = "log")]
    pub seen: bool,
}

pub fn generic<T: Debug>(value: T) -> Generic<T> {
    Generic::<T> { value }
    //~^ CFG007 cfg(feature = "log")
}
