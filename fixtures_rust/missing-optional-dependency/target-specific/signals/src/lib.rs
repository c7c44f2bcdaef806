pub fn wait() {}
