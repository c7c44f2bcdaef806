use std::env;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(always, older)");
    println!("cargo::rustc-check-cfg=cfg(level, values(\"one\", \"two\"))");
    println!("cargo::rustc-check-cfg=cfg(quoted, by_helper, by_loop, never)");
    println!("cargo::rustc-cfg=always");
    println!("cargo:rustc-cfg=older");
    println!("cargo::rustc-cfg=level=\"two\"");
    let name = "quoted";
    println!("cargo::rustc-cfg={name}");
    for name in ["by_loop"] {
        println!("cargo::rustc-cfg={}", name);
    }
    set("by_helper");
    println!("cargo::rerun-if-changed=build.rs");
    let _ = env::var("OUT_DIR");
}

fn set(name: &str) {
    println!("cargo::rustc-cfg={}", name);
}
