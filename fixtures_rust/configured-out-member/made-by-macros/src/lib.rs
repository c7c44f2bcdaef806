//! Members made by the package's own macros, and the derives of a type.

pub struct Flags(u8);

macro_rules! flags {
    ($($name:ident = $value:expr;)*) => {
        impl Flags {
            $( pub const $name: Flags = Flags($value); )*
        }
    };
}

flags! {
    READ = 1;
    WRITE = 2;
}

#[cfg(feature = "x")]
flags! {
    EXEC = 4;
}

pub fn go() -> u8 {
    Flags::READ.0 | Flags::WRITE.0
}

#[cfg(feature = "x")]
pub fn gated() -> u8 {
    Flags::EXEC.0
}
