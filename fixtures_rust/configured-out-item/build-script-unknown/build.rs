use std::env;
use std::process::Command;

fn main() {
    println!("cargo::rustc-check-cfg=cfg(new_compiler, from_file, from_variable, version, values(any()))");
    println!("cargo::rustc-check-cfg=cfg(made_up_here, from_loop)");
    let compiler = env::var("RUSTC").unwrap();
    let said = Command::new(compiler).arg("--version").output().unwrap();
    let said = String::from_utf8(said.stdout).unwrap();
    if said.starts_with("rustc 1.") {
        println!("cargo::rustc-cfg=new_compiler");
    }
    println!("cargo::rustc-cfg=version=\"{}\"", said.len());
    if std::fs::read_dir("src").is_ok() {
        println!("cargo::rustc-cfg=from_file");
    }
    if env::var("BUILD_SCRIPT_UNKNOWN_OFF").is_err() {
        println!("cargo::rustc-cfg=from_variable");
    }
    let names = vec![String::from("from_loop")];
    for name in &names {
        println!("cargo::rustc-cfg={name}");
    }
    let made = ["made", "up", "here"].join("_");
    println!("cargo::rustc-cfg={made}");
}
