pub fn go() {
    gen::runtime();
    #[cfg(feature = "deep")]
    gen::deep();
}
