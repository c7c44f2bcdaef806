//! A blanket impl of a trait may supply the function: not decided, not reported.

pub trait Open {
    fn open() {}
}
impl<T> Open for T {}

pub struct File;
#[cfg(feature = "x")]
impl File {
    pub fn open() {}
}

pub fn go() {
    File::open();
}
