//! More ways to bind a name that hides the gated item.

#[cfg(feature = "x")]
pub fn helper() -> u8 {
    1
}

pub struct Pair(pub u8, pub u8);
pub struct Named {
    pub helper: u8,
    pub other: Option<u8>,
}

pub fn by_reference(pair: &mut Pair) -> u8 {
    let Pair(ref mut helper, _) = *pair;
    *helper += 1;
    *helper
}

pub fn either(value: Result<u8, u8>) -> u8 {
    match value {
        Ok(helper) | Err(helper) => helper,
    }
}

pub fn nested(Named { helper, other: Some(_) | None }: Named, &[first, .., last]: &[u8; 4]) -> u8 {
    helper + first + last
}

pub fn renamed(Named { helper: inner, .. }: Named) -> u8 {
    inner + helper()
    //~^ CFG001 cfg(not(feature = "x"))
}

pub fn shorthand() -> Named {
    let helper = 2;
    Named { helper, other: None }
}

pub fn shorthand_of_an_item() -> u8 {
    struct Call {
        helper: fn() -> u8,
    }
    let call = Call { helper };
    //~^ CFG001 cfg(not(feature = "x"))
    (call.helper)()
}

pub fn field_and_method_names(named: Named) -> u8 {
    impl Named {
        fn helper(&self) -> u8 {
            self.helper
        }
    }
    named.helper() + named.helper
}

pub fn labels_and_lifetimes<'helper>(n: &'helper u8) -> u8 {
    'helper: loop {
        break 'helper *n;
    }
}

pub fn chained(first: Option<u8>) -> u8 {
    let Some(helper) = first else {
        return helper();
        //~^ CFG001 cfg(not(feature = "x"))
    };
    helper
}

pub fn in_else(first: Option<u8>) -> u8 {
    if let Some(helper) = first {
        helper
    } else {
        helper()
        //~^ CFG001 cfg(not(feature = "x"))
    }
}
