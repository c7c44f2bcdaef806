pub fn read() {}
