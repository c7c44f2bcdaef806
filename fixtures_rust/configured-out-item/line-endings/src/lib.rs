//! A file with CRLF line ends.
mod windows;
