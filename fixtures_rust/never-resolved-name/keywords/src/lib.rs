//! What the parser takes for a name may be a keyword.

pub mod r#mut {
    #[cfg(feature = "gated")]
    pub fn r#type() {}
}

#[cfg(feature = "gated")]
pub fn r#match() {}

#[cfg(feature = "gated")]
pub fn first(slot: &mut Option<u8>) -> &mut u8 {
    loop {
        if let Some(value) = slot {
            break &mut *value;
        }
    }
}

pub fn raw() {
    r#match();
    //~^ CFG001 cfg(not(feature = "gated"))
    r#mut::r#type();
    //~^ CFG001 cfg(not(feature = "gated"))
}
