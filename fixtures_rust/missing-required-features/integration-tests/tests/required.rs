//! `required-features` implies what is needed.

use integration_tests::net::{connect, secure};

#[test]
fn connects() {
    connect();
    secure();
}
