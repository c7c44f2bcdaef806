//! A local hides the item only where it is in scope: before its `let`, after its block and in inner items it does not.

#[cfg(feature = "x")]
pub fn helper() -> u8 {
    1
}

pub fn before() -> u8 {
    let first = helper();
    //~^ CFG001 cfg(not(feature = "x"))
    let helper = || first;
    helper()
}

pub fn after() -> u8 {
    {
        let helper = || 1;
        helper();
    }
    helper()
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn own_initializer() -> u8 {
    let helper = helper();
    //~^ CFG001 cfg(not(feature = "x"))
    helper
}

pub fn inner_item() -> u8 {
    fn inner() -> u8 {
        helper()
        //~^ CFG001 cfg(not(feature = "x"))
    }
    {
        let helper = || 1;
        helper() + inner()
    }
}

pub fn other_arm(value: Option<fn() -> u8>) -> u8 {
    match value {
        Some(helper) => helper(),
        None => helper(),
        //~^ CFG001 cfg(not(feature = "x"))
    }
}

pub fn type_path() -> u8 {
    let helper = 1;
    crate::helper() + helper
    //~^ CFG001 cfg(not(feature = "x"))
}
