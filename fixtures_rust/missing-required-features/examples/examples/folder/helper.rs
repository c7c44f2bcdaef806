pub fn run() {
    #[cfg(feature = "color")]
    shown::color::paint(shown::color::Color::Green);
    #[cfg(not(feature = "color"))]
    shown::text();
}
