#[cfg(feature = "codegen")]
fn generate() {}

fn main() {
    if cfg!(feature = "codegen") {
        generate();
        //~^ CFG001 cfg(not(feature = "codegen"))
    }
    println!("cargo::rerun-if-changed=build.rs");
}
