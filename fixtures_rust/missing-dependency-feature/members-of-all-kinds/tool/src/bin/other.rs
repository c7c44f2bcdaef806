fn main() {
    #[cfg(feature = "gpu")]
    base::launch();
    #[cfg(all(feature = "gpu", feature = "x"))]
    odd::gpu();
}
