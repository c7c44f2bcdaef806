use proc_macro::TokenStream;

#[proc_macro_derive(Shape, attributes(shape))]
pub fn shape(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

#[proc_macro_derive(Deserialize, attributes(serde))]
pub fn deserialize(_: TokenStream) -> TokenStream {
    TokenStream::new()
}

#[proc_macro_attribute]
pub fn cleared(_: TokenStream, _: TokenStream) -> TokenStream {
    TokenStream::new()
}
