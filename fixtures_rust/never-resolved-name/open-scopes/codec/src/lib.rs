pub struct Encoder;
pub fn encode() {}

#[macro_export]
macro_rules! items {
    () => {
        pub fn made() {}
    };
}
