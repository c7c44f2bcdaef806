fn main() {
    harness::set_up();
}
