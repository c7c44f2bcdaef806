#[macro_export]
macro_rules! declare {
    ($name:ident) => {
        pub fn $name() {}
    };
}

#[macro_export]
macro_rules! declare_if_traced {
    ($name:ident) => {
        #[cfg(feature = "trace")]
        pub fn $name() {}
    };
}

#[macro_export]
macro_rules! quiet {
    () => {
        #[cfg(feature = "trace")]
        $crate::always();
    };
}

#[macro_export]
macro_rules! record {
    () => {
        $crate::recorded()
    };
}

#[cfg(feature = "log")]
#[macro_export]
macro_rules! log {
    () => {
        $crate::recorded()
    };
}

#[macro_export]
macro_rules! in_both {
    () => {
        #[cfg(feature = "trace")]
        $crate::deep();
    };
}

pub fn always() {}
#[cfg(feature = "log")]
pub fn recorded() {}
#[cfg(feature = "deep")]
pub fn deep() {}

#[cfg(feature = "log")]
#[macro_export]
macro_rules! declare_logged {
    ($name:ident) => {
        #[cfg(feature = "trace")]
        pub fn $name() {}
    };
}
