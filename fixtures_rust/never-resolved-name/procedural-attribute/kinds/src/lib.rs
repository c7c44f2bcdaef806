//! Macros that make functions.

use proc_macro::TokenStream;

/// Adds a second function, `<name>_twin`.
#[proc_macro_attribute]
pub fn twin(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    let text = item.to_string();
    let twin = text.replacen("first", "first_twin", 1);
    format!("{text} {twin}").parse().unwrap()
}

/// A function of the name given.
#[proc_macro]
pub fn named(name: TokenStream) -> TokenStream {
    format!("pub fn {name}() {{}}").parse().unwrap()
}
