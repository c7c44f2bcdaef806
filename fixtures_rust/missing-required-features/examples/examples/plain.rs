fn main() {
    shown::text();
}
