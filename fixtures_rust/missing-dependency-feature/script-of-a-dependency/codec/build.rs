fn main() {
    println!("cargo::rustc-check-cfg=cfg(always_set, has_text, has_vectors, has_sockets, probed, has_zip)");
    println!("cargo::rustc-cfg=always_set");
    if std::env::var("CARGO_FEATURE_TEXT").is_ok() {
        println!("cargo::rustc-cfg=has_text");
    }
    if std::env::var_os("CARGO_FEATURE_SIMD").is_some() {
        println!("cargo::rustc-cfg=has_vectors");
    }
    if std::env::var("CARGO_CFG_TARGET_OS").unwrap() == "linux" {
        println!("cargo::rustc-cfg=has_sockets");
    }
    if std::env::var("PROFILE").is_ok() {
        println!("cargo::rustc-cfg=probed");
    }
    if cfg!(feature = "zip") {
        println!("cargo::rustc-cfg=has_zip");
    }
}
