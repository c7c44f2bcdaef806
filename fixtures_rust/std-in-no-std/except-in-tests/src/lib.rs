//! `no_std` unless testing: unit tests have std, the library does not.
#![cfg_attr(not(any(test, feature = "std")), no_std)]

pub fn go() -> u8 {
    1
}

pub fn needs_std() -> String {
    //~^ CFG009 cfg(not(any(test, feature = "std")))
    loop {}
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    #[test]
    fn go() {
        let list = vec![super::go()];
        println!("{list:?} {:?}", HashMap::<String, u8>::new());
    }
}
