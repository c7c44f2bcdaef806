#[cfg(feature = "x")]
use way::Extra;
#[cfg(not(feature = "x"))]
struct Extra;

#[test]
fn extra() {
    let _ = Extra;
}
