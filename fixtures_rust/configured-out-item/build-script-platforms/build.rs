use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(is_linux, sockets, epoll, on_unix, family_windows, wide, host)");
    let os = env::var("CARGO_CFG_TARGET_OS").unwrap();
    if os == "linux" {
        println!("cargo::rustc-cfg=is_linux");
    }
    match os.as_str() {
        "linux" | "android" => println!("cargo::rustc-cfg=epoll"),
        "windows" if env::var("CARGO_FEATURE_NET").is_ok() => println!("cargo::rustc-cfg=sockets"),
        _ => {}
    }
    if env::var("CARGO_CFG_UNIX").is_ok() {
        println!("cargo::rustc-cfg=on_unix");
    }
    if matches!(env::var("CARGO_CFG_TARGET_POINTER_WIDTH").as_deref(), Ok("64")) {
        println!("cargo::rustc-cfg=wide");
    }
    // This is about the machine that compiles.
    if cfg!(target_os = "linux") {
        println!("cargo::rustc-cfg=host");
    }
}
