#[cfg(ready)]
pub fn ready() {}
#[cfg(not(ready))]
pub fn unready() {}
#[cfg(ready)]
pub use ready as again;
#[cfg(not(ready))]
pub use unready as again;

pub fn go() {
    ready();
    #[cfg(feature = "x")]
    unready();
    //~^ CFG012 cfg(feature = "x")
}
