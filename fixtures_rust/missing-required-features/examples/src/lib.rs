pub fn text() {}
#[cfg(feature = "color")]
pub mod color {
    pub enum Color {
        Red,
        Green,
    }
    pub fn paint(_: Color) {}
}
#[cfg(feature = "gui")]
pub fn window() {}
