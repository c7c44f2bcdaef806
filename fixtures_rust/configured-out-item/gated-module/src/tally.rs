pub fn launched() {}
