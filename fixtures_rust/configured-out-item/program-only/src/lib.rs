//! A package without a library.
