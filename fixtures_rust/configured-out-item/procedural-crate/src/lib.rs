//! A package of procedural macros: `proc_macro` is in its extern prelude.

use proc_macro::TokenStream;

#[cfg(feature = "full")]
mod full {
    pub fn expand(item: proc_macro::TokenStream) -> proc_macro::TokenStream {
        item
    }
}

#[proc_macro_attribute]
pub fn pass(_: TokenStream, item: TokenStream) -> TokenStream {
    full::expand(item)
    //~^ CFG001 cfg(not(feature = "full"))
}
