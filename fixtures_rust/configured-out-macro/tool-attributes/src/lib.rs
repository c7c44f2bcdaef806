//! Attributes that no macro stands behind: built in, of tools, helpers of derives. Nothing is reported.
#![allow(clippy::all, unused)]
#![warn(rustdoc::broken_intra_doc_links)]

#[rustfmt::skip]
#[cfg(feature = "x")]
#[must_use]
pub fn skipped() -> u8 { 1 }

#[diagnostic::on_unimplemented(message = "no")]
pub trait Shape {}

#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
#[repr(u8)]
pub enum Kind {
    #[default]
    A,
}

#[inline(always)]
#[cold]
#[deprecated(since = "1", note = "x")]
#[doc(hidden)]
#[track_caller]
pub fn decorated() {
    #[allow(clippy::needless_return)]
    return;
}

#[cfg_attr(feature = "x", derive(Clone), must_use, doc = "text", allow(clippy::style))]
pub struct Conditional;
