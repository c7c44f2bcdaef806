fn main() {
    always::go();
    #[cfg(feature = "x")]
    codec::encode();
    //~^ CFG003 cfg(all(feature = "x", not(feature = "generate")))
    #[cfg(feature = "generate")]
    codec::encode();
}
