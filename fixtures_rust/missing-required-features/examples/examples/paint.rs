use shown::color::{paint, Color};
//~^ CFG011 cfg(not(feature = "color"))

fn main() {
    shown::text();
    paint(Color::Red);
    paint(Color::Green);
}
