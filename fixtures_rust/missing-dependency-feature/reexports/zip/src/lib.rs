pub fn pack() {}
