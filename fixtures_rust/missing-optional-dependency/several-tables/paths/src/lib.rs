pub fn root() {}
