fn main() {
    println!("cargo::rustc-cfg=ready");
}
