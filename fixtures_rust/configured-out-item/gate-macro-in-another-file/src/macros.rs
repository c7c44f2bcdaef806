macro_rules! cfg_rt {
    ($($item:item)*) => { $( #[cfg(feature = "rt")] $item )* };
}

macro_rules! cfg_not_rt {
    ($($item:item)*) => { $( #[cfg(not(feature = "rt"))] $item )* };
}
