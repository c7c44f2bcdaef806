//! The build script is compiled with the package's features, too.
