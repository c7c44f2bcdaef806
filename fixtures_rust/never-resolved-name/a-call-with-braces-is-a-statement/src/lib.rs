//! A macro call with braces is a statement, whatever follows it but `.` and `?`: what it declares is there behind it.

macro_rules! bind {
    ($(let $name:ident = $value:expr;)*) => { $(let mut $name = $value;)* };
}

macro_rules! items {
    ($($name:ident)*) => { $(fn $name() -> [u8; 1] { [1] })* };
}

pub fn called() -> u8 {
    bind! {
        let first = [1u8];
        let second = 2u8;
    }
    (&mut first).reverse();
    second
}

pub fn indexed() -> usize {
    bind! { let first = 1u8; }
    [&mut first].len()
}

pub fn negative() -> i8 {
    items! { one }
    -(one()[0] as i8)
}

pub fn continued() -> String {
    #[cfg(feature = "x")]
    bind! { let hidden = 1u8; }
    format! { "{}", 1 }.clone()
}
