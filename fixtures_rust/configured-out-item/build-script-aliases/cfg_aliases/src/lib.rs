//! Stands in for the crate of this name: evaluates predicates in a build script and prints what holds.

pub fn option(name: &str, value: Option<&str>) -> bool {
    let variable = |name: &str| name.to_uppercase().replace('-', "_");
    match (name, value) {
        ("feature", Some(value)) => std::env::var_os(format!("CARGO_FEATURE_{}", variable(value))).is_some(),
        (_, None) => std::env::var_os(format!("CARGO_CFG_{}", variable(name))).is_some(),
        (_, Some(value)) => std::env::var(format!("CARGO_CFG_{}", variable(name)))
            .is_ok_and(|found| found.split(',').any(|part| part == value)),
    }
}

#[macro_export]
macro_rules! cfg_aliases {
    ($($name:ident : { $($predicate:tt)* }),* $(,)?) => {
        let mut known: Vec<(&str, bool)> = Vec::new();
        $(
            println!("cargo::rustc-check-cfg=cfg({})", stringify!($name));
            let holds = $crate::holds!(known, $($predicate)*);
            known.push((stringify!($name), holds));
            if holds {
                println!("cargo::rustc-cfg={}", stringify!($name));
            }
        )*
    };
}

#[macro_export]
macro_rules! holds {
    ($known:ident, not($($inner:tt)*)) => { !$crate::holds!($known, $($inner)*) };
    ($known:ident, all($($inner:tt)*)) => { $crate::every!($known, true, &, [], $($inner)*) };
    ($known:ident, any($($inner:tt)*)) => { $crate::every!($known, false, |, [], $($inner)*) };
    ($known:ident, $name:ident = $value:literal) => { $crate::option(stringify!($name), Some($value)) };
    ($known:ident, $name:ident) => {
        match $known.iter().find(|(name, _)| *name == stringify!($name)) {
            Some((_, holds)) => *holds,
            None => $crate::option(stringify!($name), None),
        }
    };
}

#[macro_export]
macro_rules! every {
    ($known:ident, $start:literal, $sign:tt, [$($part:tt)+], , $($rest:tt)*) => {
        $crate::holds!($known, $($part)+) $sign $crate::every!($known, $start, $sign, [], $($rest)*)
    };
    ($known:ident, $start:literal, $sign:tt, [$($part:tt)+],) => { $crate::holds!($known, $($part)+) };
    ($known:ident, $start:literal, $sign:tt, [],) => { $start };
    ($known:ident, $start:literal, $sign:tt, [$($part:tt)*], $next:tt $($rest:tt)*) => {
        $crate::every!($known, $start, $sign, [$($part)* $next], $($rest)*)
    };
}
