pub struct Encoder;
pub fn encode() {}
