pub fn info() {}
