pub mod inner;
//~^ CFG013 cfg(feature = "tls")
