use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn marked(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    item
}

#[cfg(feature = "named")]
#[proc_macro_derive(Named)]
pub fn named(_item: TokenStream) -> TokenStream {
    TokenStream::new()
}

#[cfg(feature = "named")]
#[proc_macro]
pub fn named_twice(_tokens: TokenStream) -> TokenStream {
    TokenStream::new()
}
