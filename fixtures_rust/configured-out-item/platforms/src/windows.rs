pub fn open() {}
pub fn handle() {}
