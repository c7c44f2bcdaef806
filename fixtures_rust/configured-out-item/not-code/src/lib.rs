//! What only looks like a path: [`gated`], `stringify!`, strings, an unused macro, patterns of `macro_rules!`.
#![allow(unused_macros)]

/// See [`crate::gated`] and [gated()].
#[cfg(feature = "x")]
pub fn gated() {}

macro_rules! unused {
    () => {
        crate::gated();
        $crate::missing::path();
    };
    (gated()) => {};
}

macro_rules! swallow {
    ($($t:tt)*) => {};
}

macro_rules! name_of {
    ($p:path) => {
        stringify!($p)
    };
}

/// ```
/// gated();
/// ```
pub fn go() -> &'static str {
    swallow!(gated() crate::gated);
    let _ = name_of!(crate::gated);
    let _ = "gated()";
    let _ = r#"crate::gated()"#;
    /* gated() */
    stringify!(crate::gated())
}
