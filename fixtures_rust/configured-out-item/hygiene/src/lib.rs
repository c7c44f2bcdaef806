//! A macro's own `let` does not hide the name that its caller passes in; the caller's does.

#[cfg(feature = "x")]
fn helper() -> u8 {
    1
}

macro_rules! timed {
    ($body:expr) => {{
        let helper = 0;
        let _ = helper;
        $body
    }};
}

pub fn passed_in() -> u8 {
    timed!(helper())
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn local_of_the_caller() -> u8 {
    let helper = || 2;
    timed!(helper())
}
