//! An argument that one alternative of a macro drops is not compiled there.
#[cfg(feature = "simd")]
pub struct VecAdd;
#[cfg(feature = "simd")]
macro_rules! dispatch { ($op: ty, $l: expr, $($t: ty),*) => {{ $(let _ = (core::mem::size_of::<$op>(), <$t>::MAX);)* $l }}; }
#[cfg(not(feature = "simd"))]
macro_rules! dispatch {
    (noq, $op: ty, $l: expr, $($t: ty),*) => {{ $l }};
    ($op: ty, $l: expr, $($t: ty),*) => {{ $l }};
}
pub fn f(x: u8) -> u8 { dispatch!(VecAdd, x, u8, i8) }
