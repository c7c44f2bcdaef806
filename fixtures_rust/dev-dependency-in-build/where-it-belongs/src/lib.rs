//! Unit tests, integration tests, examples and benches have dev-dependencies: nothing fails.

pub fn go() {}

#[cfg(test)]
mod tests {
    use harness::set_up;

    #[test]
    fn go() {
        set_up();
        super::go();
    }
}

#[test]
fn outside_the_module() {
    harness::set_up();
}
