pub fn f() -> &'static str {
    trace!("after")
}
