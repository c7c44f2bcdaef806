//! `#[path]` on modules in files, inside inline modules, and on inline modules.

#[path = "elsewhere/one.rs"]
pub mod first;

pub mod outer {
    #[path = "two.rs"]
    pub mod second;

    pub mod inner {
        #[path = "three.rs"]
        pub mod third;
    }
}

#[path = "moved"]
pub mod renamed {
    pub mod fourth;
}

pub mod nested;

pub fn go() {
    first::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
    outer::second::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
    outer::inner::third::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
    renamed::fourth::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
    nested::inline::fifth::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
    nested::sibling::leaf();
    //~^ CFG001 cfg(not(feature = "a"))
}
