//! An impl whose head a macro takes apart and writes again: its members are there.
macro_rules! gen {
    (impl<$($gen:ident)*> $name:ty {$(
        $vis:vis unsafe fn $f:ident(self: NonNull<Self>) -> NonNull<$t:ty> { &self$(.$field:tt)+ }
    )*}) => {
        impl<$($gen)*> $name {$(
            $vis unsafe fn $f(me: core::ptr::NonNull<Self>) -> core::ptr::NonNull<$t> {
                core::ptr::NonNull::new_unchecked(core::ptr::addr_of_mut!((*me.as_ptr())$(.$field)+))
            }
        )*}
    };
}
pub struct Block<T> { header: T }
gen! {
    impl<T> Block<T> {
        unsafe fn header(self: NonNull<Self>) -> NonNull<T> { &self.header }
    }
}
pub unsafe fn f(b: core::ptr::NonNull<Block<u8>>) { Block::header(b); }
