//! Options of which only running the script can tell: nothing that rests on them is an error.

#[cfg(new_compiler)]
pub fn compiler() {}
#[cfg(from_file)]
pub fn file() {}
#[cfg(from_variable)]
pub fn variable() {}
#[cfg(from_loop)]
pub fn in_a_loop() {}
#[cfg(made_up_here)]
pub fn made_up() {}

#[cfg(all(new_compiler, feature = "x"))]
pub fn with_x() {}

pub fn go() {
    compiler();
    file();
    variable();
    in_a_loop();
    made_up();
    with_x();
    //~^ CFG001 cfg(not(feature = "x"))
}

#[cfg(not(new_compiler))]
pub fn old() {
    compiler();
    in_a_loop();
}
