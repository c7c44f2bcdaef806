fn main() {
    #[cfg(feature = "args")]
    programs::parse();
    programs::run();
}
