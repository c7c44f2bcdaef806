#[cfg(feature = "early")]
pub fn f() -> &'static str {
    trace!("before")
    //~^ CFG012 cfg(feature = "early")
}
