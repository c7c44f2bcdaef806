pub fn read() {}
pub fn flush() {}
