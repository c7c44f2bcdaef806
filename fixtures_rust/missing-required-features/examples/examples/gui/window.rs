fn main() {
    shown::window();
    shown::color::paint(shown::color::Color::Red);
    //~^ CFG011 cfg(all(feature = "gui", not(feature = "color")))
}
