//! A macro that gates what it is given: its arguments are resolved only there.

macro_rules! trace {
    ($($argument:expr),*) => {
        #[cfg(feature = "trace")]
        {
            $( let _ = $argument; )*
        }
    };
}

#[cfg(feature = "trace")]
fn timing() -> u8 {
    1
}

#[cfg(feature = "x")]
fn sample() -> u8 {
    1
}

pub fn go() {
    trace!(timing());
    trace!(sample());
    //~^ CFG001 cfg(all(feature = "trace", not(feature = "x")))
}
