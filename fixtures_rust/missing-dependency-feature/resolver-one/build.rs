//! The first resolver has one set of features for all copies of a package.

fn main() {
    gen::codegen();
    gen::runtime();
}
