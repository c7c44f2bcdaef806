//! Where the item of the block is off, the one outside supplies the name: nothing fails.

pub fn size() -> usize {
    1
}

pub mod other {
    pub fn size() -> usize {
        2
    }
}

pub fn by_item() -> usize {
    #[cfg(feature = "x")]
    fn size() -> usize {
        3
    }
    size()
}

pub fn by_import() -> usize {
    #[cfg(feature = "x")]
    use other::size;
    {
        #[cfg(feature = "x")]
        use other::*;
        size()
    }
}
