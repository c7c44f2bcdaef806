//! A stand-in with the behaviour of the well-known macro: the first branch whose predicate holds is kept.
#![no_std]

#[macro_export]
macro_rules! cfg_if {
    (@gate $gate:meta, $($item:item)*) => {
        $( #[cfg($gate)] $item )*
    };
    (@step [$($before:meta),*] if #[cfg($now:meta)] { $($item:item)* } else $($rest:tt)+) => {
        $crate::cfg_if! { @gate all($now, not(any($($before),*))), $($item)* }
        $crate::cfg_if! { @step [$($before,)* $now] $($rest)+ }
    };
    (@step [$($before:meta),*] if #[cfg($now:meta)] { $($item:item)* }) => {
        $crate::cfg_if! { @gate all($now, not(any($($before),*))), $($item)* }
    };
    (@step [$($before:meta),*] { $($item:item)* }) => {
        $crate::cfg_if! { @gate not(any($($before),*)), $($item)* }
    };
    (if $($rest:tt)+) => {
        $crate::cfg_if! { @step [] if $($rest)+ }
    };
}
