//! A macro inside a function, gated; and one that shadows it in an inner block.

pub fn go() -> u8 {
    #[cfg(feature = "log")]
    macro_rules! level {
        () => {
            1
        };
    }
    {
        macro_rules! level {
            () => {
                2
            };
        }
        level!();
    }
    level!()
    //~^ CFG002 cfg(not(feature = "log"))
}
