pub fn set_up() {}
