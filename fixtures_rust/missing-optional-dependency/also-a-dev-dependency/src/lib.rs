//! A dev-dependency on the same crate: tests always have it, the library does not.

pub fn go() {
    codec::encode();
    //~^ CFG003 cfg(all(not(test), not(feature = "codec")))
}

#[cfg(test)]
mod tests {
    #[test]
    fn go() {
        codec::encode();
    }
}
