//! The program of the package's name is a root as well; its own modules are not the library's matter.

mod own;

fn main() {
    programs::run();
    programs::parse();
    //~^ CFG011 cfg(not(feature = "args"))
    own::run();
    own::gated();
    //~^ CFG001 cfg(not(feature = "server"))
}
