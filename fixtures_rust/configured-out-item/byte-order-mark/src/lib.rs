//! The module's file begins with a byte order mark.
pub mod marked;
