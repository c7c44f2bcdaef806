use programs::parse;

fn main() {
    parse();
}
