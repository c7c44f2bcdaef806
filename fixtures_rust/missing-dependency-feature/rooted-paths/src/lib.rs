//! Paths that begin with `::`, also among the tokens of a macro call.

macro_rules! either {
    ($value:expr => $first:pat, $second:pat) => {
        match $value {
            $first | $second => true,
            _ => false,
        }
    };
}

pub fn go() -> bool {
    matches!(3, ::codec::SLOW)
        || matches!(3, ::codec::FAST)
        //~^ CFG004 cfg(not(feature = "fast"))
        || matches!(3, 0 | ::codec::FAST)
        //~^ CFG004 cfg(not(feature = "fast"))
        || matches!((3, 4), (::codec::FAST, _))
        //~^ CFG004 cfg(not(feature = "fast"))
        || either!(3 => 0, ::codec::FAST)
        //~^ CFG004 cfg(not(feature = "fast"))
        || ::codec::FAST == 3
        //~^ CFG004 cfg(not(feature = "fast"))
        || Vec::<u8>::new().is_empty()
}
