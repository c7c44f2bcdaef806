macro_rules! cfg_net {
    ($($item:item)*) => { $( #[cfg(feature = "net")] $item )* };
}

#[cfg(feature = "net")]
#[macro_export]
macro_rules! packet {
    () => {};
}
