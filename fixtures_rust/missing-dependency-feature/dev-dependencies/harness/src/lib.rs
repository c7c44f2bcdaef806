pub fn set_up() {
    store::seeded();
}
