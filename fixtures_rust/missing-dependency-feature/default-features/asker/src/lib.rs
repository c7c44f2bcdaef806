pub fn ask() {
    shared::by_default();
}
