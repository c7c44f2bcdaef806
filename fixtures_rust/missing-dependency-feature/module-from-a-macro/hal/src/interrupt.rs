pub trait InterruptExt {}
#[macro_export]
macro_rules! interrupt_mod {
    ($($irqs:ident),* $(,)?) => {
        pub mod interrupt {
            pub use $crate::interrupt::InterruptExt;
            pub mod typelevel {
                pub trait Interrupt {}
                $( pub enum $irqs {} )*
            }
        }
    };
}
