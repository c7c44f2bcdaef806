pub fn both() {}
pub fn only_off() {}
