#[test]
fn checksum() {
    let _ = tensors::Backend::Cpu;
    let _ = tensors::Backend::Cuda;
    //~^ CFG011 cfg(not(feature = "cuda"))
    let _ = tensors::probe::checksum();
    //~^ FOLLOWS cfg(not(feature = "cuda"))
}
