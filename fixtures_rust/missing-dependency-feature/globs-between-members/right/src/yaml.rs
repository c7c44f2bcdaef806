pub fn yaml() {}
pub fn from_either() {}
