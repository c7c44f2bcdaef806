pub fn stray() {
    nothing::at::all();
}
