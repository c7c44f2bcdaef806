pub fn both() {}
