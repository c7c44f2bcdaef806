fn main() {
    nothing::at::all();
}
