//! A test that runs on the device of one backend and says so nowhere.

use tensors::Device;

#[test]
fn checksum_per_shape() {
    let device = Device::cuda(0);
    //~^ CFG011 cfg(not(feature = "cuda"))
    device.seed(42);
    for (rows, inner, columns) in [(64usize, 64, 64), (512, 128, 1024), (10, 512, 64)] {
        let _ = rows * inner * columns;
    }
}
