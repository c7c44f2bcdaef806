//! An import that a macro makes comes late: what globs have handed on before, it holds back no more.

macro_rules! kept {
    ($($item:item)*) => { $( $item )* };
}

pub mod source {
    pub struct S;
    #[derive(Clone)]
    pub struct Early;
    pub struct InTime;
}

/// `S` has got into `window` before.
pub mod home {
    cfg_select! {
        feature = "x" => { pub use crate::window::S; }
        _ => {}
    }
    kept! { #[cfg(feature = "x")] pub use crate::window::Early; }
    pub use crate::source::*;
    pub use crate::further_down::*;
    kept! { #[cfg(feature = "x")] pub use crate::window::Late; }
    //~^ CFG001 cfg(feature = "x")
}
pub mod window {
    pub use crate::home::*;
}

/// A derive is a macro too: `Late` is declared after the import of it.
pub mod further_down {
    #[derive(Clone)]
    pub struct Late;
}

/// Here the glob is as late as the import.
#[cfg(feature = "x")]
pub mod both {
    kept! {
        pub use crate::other_window::InTime;
        pub use crate::source::*;
    }
    //~^^^ CFG001 cfg(feature = "x")
}
#[cfg(feature = "x")]
pub mod other_window {
    pub use crate::both::*;
}

pub fn go() {
    let _ = (home::S, window::S, window::Early, home::Late, window::Late);
    #[cfg(feature = "x")]
    let _ = (both::InTime, other_window::InTime);
}
