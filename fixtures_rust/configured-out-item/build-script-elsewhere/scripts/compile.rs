//! A script of another name. The options that it sets are not its own.

fn main() {
    println!("cargo::rustc-check-cfg=cfg(ready)");
    println!("cargo::rustc-cfg=ready");
    #[cfg(feature = "x")]
    with_x();
}

#[cfg(feature = "x")]
fn with_x() {
    println!("cargo::rustc-check-cfg=cfg(with_x)");
}
