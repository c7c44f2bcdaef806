//! Functions of generic types, with and without turbofish.

pub struct Stack<T>(pub Vec<T>);

impl<T> Stack<T> {
    #[cfg(feature = "x")]
    pub fn with_capacity(n: usize) -> Self {
        Stack(Vec::with_capacity(n))
    }
    pub fn new() -> Self {
        Self::with_capacity(0)
        //~^ CFG006 cfg(not(feature = "x"))
    }
}

pub fn go() {
    let _ = Stack::<u8>::with_capacity(1);
    //~^ CFG006 cfg(not(feature = "x"))
    let _: Stack<u8> = Stack::new();
}
