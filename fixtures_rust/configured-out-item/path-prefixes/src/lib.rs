//! `crate`, `self`, `super`, chains of `super`, bare names and module aliases all lead to the same gated function.

#[cfg(feature = "fast")]
pub fn helper() {}

use crate as root;

pub fn top() {
    helper();
    //~^ CFG001 cfg(not(feature = "fast"))
    self::helper();
    //~^ CFG001 cfg(not(feature = "fast"))
    root::helper();
    //~^ CFG001 cfg(not(feature = "fast"))
    let _later: fn() = crate::helper;
    //~^ CFG001 cfg(not(feature = "fast"))
}

pub mod outer {
    pub fn one_up() {
        super::helper();
        //~^ CFG001 cfg(not(feature = "fast"))
    }

    pub mod inner {
        pub fn two_up() {
            super::super::helper();
            //~^ CFG001 cfg(not(feature = "fast"))
            self::super::super::helper();
            //~^ CFG001 cfg(not(feature = "fast"))
        }

        pub fn from_a_child_scope() {
            use super::super::*;
            top();
            helper();
            //~^ CFG001 cfg(not(feature = "fast"))
        }
    }
}
