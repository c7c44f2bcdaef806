pub fn open() {}
pub fn poll() {}
