pub fn red() {}
