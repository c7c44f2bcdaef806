pub fn f() -> &'static str {
    note!("later")
    //~^ CFG002 cfg(all(feature = "late", feature = "quiet"))
}
