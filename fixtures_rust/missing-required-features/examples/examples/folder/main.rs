mod helper;

fn main() {
    helper::run();
    if cfg!(feature = "gui") {
        shown::window();
        //~^ CFG011 cfg(not(feature = "gui"))
    }
}
