fn main() {
    gen::codegen();
}
