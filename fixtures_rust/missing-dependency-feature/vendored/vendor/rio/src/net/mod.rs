mod stream;
pub use self::stream::*;

pub fn listen() {}
