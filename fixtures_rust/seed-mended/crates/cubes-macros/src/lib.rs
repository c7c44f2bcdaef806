//! Stands in for a kernel compiler: `#[cube]` marks a kernel and takes `#[comptime]` off its parameters.

use proc_macro::{Group, TokenStream, TokenTree};

#[proc_macro_attribute]
pub fn cube(_arguments: TokenStream, item: TokenStream) -> TokenStream {
    without_comptime(item)
}

fn without_comptime(tokens: TokenStream) -> TokenStream {
    let mut kept: Vec<TokenTree> = Vec::new();
    for token in tokens {
        if let TokenTree::Group(group) = &token {
            if group.to_string().replace(' ', "") == "[comptime]" {
                kept.pop();
                continue;
            }
            kept.push(Group::new(group.delimiter(), without_comptime(group.stream())).into());
        } else {
            kept.push(token);
        }
    }
    kept.into_iter().collect()
}
