macro_rules! cfg_fast {
    ($($item:item)*) => { $( #[cfg(feature = "fast")] $item )* };
}

macro_rules! make {
    ($($name:ident),*) => { $( pub fn $name() {} )* };
}

macro_rules! cfg_if {
    (if #[cfg($meta:meta)] { $($yes:item)* } else { $($no:item)* }) => {
        $( #[cfg($meta)] $yes )*
        $( #[cfg(not($meta))] $no )*
    };
}

cfg_if! {
    if #[cfg(feature = "fast")] {
        pub fn by_cfg_if() {}
        pub fn only_in_cfg_if() {}
    } else {
        pub fn by_cfg_if() {}
    }
}

cfg_fast! {
    pub fn by_own_macro() {}
}

#[cfg(feature = "fast")]
make!(made);

cfg_select! {
    feature = "fast" => {
        pub fn selected() {}
    }
    _ => {}
}

pub mod file;
pub mod inner;

pub mod outer {
    #[cfg(feature = "fast")]
    pub mod middle {
        #[cfg(feature = "fast")]
        pub fn leaf() {}
    }
}

pub mod generated {
    include!("included.rs");
}

pub mod api {
    #[cfg(feature = "fast")]
    pub mod v1 {
        pub fn call() {}
        pub use super::v2::call as newer;
    }
    pub mod v2 {
        pub fn call() {}
        #[cfg(feature = "fast")]
        pub use super::v1::call as older;
    }
    #[cfg(feature = "fast")]
    pub use self::v2::older as oldest;
    pub use v2::call as latest;
}

pub mod everything {
    #[cfg(feature = "fast")]
    pub fn quick() {}
}
