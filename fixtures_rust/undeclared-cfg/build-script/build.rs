fn main() {
    println!("cargo::rustc-check-cfg=cfg(fast)");
    println!("cargo:rustc-check-cfg=cfg(kind, values(\"a\", \"b\"))");
    println!("cargo::rustc-cfg=fast");
    println!("cargo::rustc-cfg=silent");
}
