use std::env;

fn is_on(name: &str) -> bool {
    env::var_os(name).is_some()
}

fn main() {
    println!("cargo::rustc-check-cfg=cfg(has_fast, has_either, has_both, plain, by_match, by_cfg, by_negation)");
    let fast = env::var("CARGO_FEATURE_FAST_PATH").is_ok();
    let fallback = env::var_os("CARGO_FEATURE_FALLBACK").is_some();
    if fast {
        println!("cargo::rustc-cfg=has_fast");
    }
    if fast || fallback {
        println!("cargo::rustc-cfg=has_either");
    }
    if fast && fallback {
        println!("cargo::rustc-cfg=has_both");
    } else {
        println!("cargo::rustc-cfg=plain");
    }
    match env::var("CARGO_FEATURE_TLS") {
        Ok(_) => println!("cargo::rustc-cfg=by_match"),
        Err(_) => {}
    }
    if cfg!(feature = "tls") {
        println!("cargo::rustc-cfg=by_cfg");
    }
    if is_on("CARGO_FEATURE_EXTRA") {
        return;
    }
    println!("cargo::rustc-cfg=by_negation");
}
