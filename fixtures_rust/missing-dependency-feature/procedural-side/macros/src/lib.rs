use proc_macro::TokenStream;

#[proc_macro_attribute]
pub fn marked(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    shared::full();
    #[cfg(feature = "x")]
    shared::parse();
    //~^ CFG004 cfg(all(feature = "x", not(feature = "parse")))
    item
}
