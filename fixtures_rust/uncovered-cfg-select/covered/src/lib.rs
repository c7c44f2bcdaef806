//! Arms that cover every build, by `_`, by complement, by the gate around them or by the feature table.

cfg_select! {
    feature = "a" => { pub fn one() {} }
    _ => { pub fn one() {} }
}

cfg_select! {
    feature = "a" => { pub fn two() {} }
    not(feature = "a") => { pub fn two() {} }
}

#[cfg(feature = "b")]
cfg_select! {
    feature = "a" => { pub fn three() {} }
}

pub fn go() {
    one();
    two();
}
