//! A file may say itself that its macros are used outside.

mod before;
mod fmt;
#[cfg(feature = "late")]
mod after;
mod sometimes;
#[cfg(feature = "late")]
mod later;
