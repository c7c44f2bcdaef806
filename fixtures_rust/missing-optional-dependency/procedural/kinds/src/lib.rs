//! One procedural macro of each kind; none adds anything.

use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn marked(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    item
}

#[proc_macro_derive(Named)]
pub fn named(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}
