use crate::interrupt;
use crate::interrupt::typelevel::Interrupt;

pub fn f<T: Interrupt>() {}
pub fn g<T: interrupt::InterruptExt>() {}
