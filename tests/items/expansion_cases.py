"""Macros and calls for the tests of expansion: each a module of one crate. `lostN` is declared nowhere.

Every mention of a `lostN` is an error of rustc exactly where it is compiled, which is what pieces and paths predict.
"""

from __future__ import annotations

CASES: dict[str, str] = {
    "gate_items": """
macro_rules! cfg_a { ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* }; }
cfg_a! { fn one() { lost1(); } mod inner { pub fn two() { lost2(); } } #[allow(unused)] struct S<T: lost3::Tr>(T); }
""",
    "tokio_style": """
macro_rules! cfg_rt {
    ($($item:item)*) => {
        $(
            #[cfg(any(feature = "a", all(feature = "b", not(feature = "c"))))]
            #[cfg_attr(docsrs, doc(cfg(feature = "a")))]
            $item
        )*
    }
}
cfg_rt! { pub mod x { lost1!(); } pub(crate) use self::x as y; impl lost2::T for u8 {} }
""",
    "feature_meta": """
macro_rules! feature {
    (#![$meta:meta] $($item:item)*) => { $( #[cfg($meta)] #[cfg_attr(docsrs, doc(cfg($meta)))] $item )* }
}
feature! {
    #![all(feature = "a", not(feature = "b"))]
    /// Documented.
    pub fn one() { lost1() }
    const C: u8 = lost2;
}
""",
    "hyper_style": """
macro_rules! cfg_feature {
    (#![$meta:meta] $($item:item)*) => { $( #[cfg($meta)] #[cfg_attr(docsrs, doc(cfg($meta)))] $item )* }
}
macro_rules! cfg_proto {
    ($($item:item)*) => { cfg_feature! { #![all(any(feature = "a", feature = "b"), not(feature = "c"))] $($item)* } }
}
cfg_proto! { fn one() { lost1() } static S: u8 = { lost2() }; }
""",
    "local_cfg_if": """
macro_rules! either {
    (if #[cfg($yes:meta)] { $($then:item)* } else { $($other:item)* }) => {
        $( #[cfg($yes)] $then )*
        $( #[cfg(not($yes))] $other )*
    };
    (if #[cfg($yes:meta)] { $($then:item)* } else if #[cfg($second:meta)] { $($other:item)* }) => {
        $( #[cfg($yes)] $then )*
        $( #[cfg(all($second, not($yes)))] $other )*
    };
}
either! { if #[cfg(feature = "a")] { fn f() { lost1() } } else { fn f() { lost2() } fn g() { lost3() } } }
either! { if #[cfg(feature = "a")] { fn h() { lost4() } } else if #[cfg(any(feature = "b", feature = "c"))] { fn h() { lost5() } } }
""",
    "cfg_if_reimplemented": """
macro_rules! choose {
    ($( if #[cfg($meta:meta)] { $($tokens:tt)* } ) else * else { $($last:tt)* }) => {
        choose! { @items () ; $( ( ($meta) ($($tokens)*) ), )* ( () ($($last)*) ), }
    };
    ( if #[cfg($first:meta)] { $($tokens:tt)* } $( else if #[cfg($meta:meta)] { $($more:tt)* } )* ) => {
        choose! { @items () ; ( ($first) ($($tokens)*) ), $( ( ($meta) ($($more)*) ), )* ( () () ), }
    };
    (@items ($($not:meta,)*) ; ) => {};
    (@items ($($not:meta,)*) ; ( ($($m:meta),*) ($($tokens:tt)*) ), $($rest:tt)*) => {
        #[cfg(all($($m,)* not(any($($not),*))))] choose! { @identity $($tokens)* }
        choose! { @items ($($not,)* $($m,)*) ; $($rest)* }
    };
    (@identity $($tokens:tt)*) => { $($tokens)* };
}
choose! {
    if #[cfg(feature = "a")] { fn f() { lost1() } fn ff() { lost2() } }
    else if #[cfg(all(feature = "b", not(feature = "c")))] { fn f() { lost3() } }
    else { fn f() { lost4() } }
}
choose! { if #[cfg(feature = "c")] { fn g() { lost5() } } }
choose! { if #[cfg(feature = "c")] { fn h() { lost6() } } else if #[cfg(feature = "a")] { use self::lost7 as _; } }
""",
    "uses_cfg_select": """
macro_rules! pick {
    ($p:meta, $($item:item)*) => { cfg_select! { $p => { $($item)* } feature = "b" => { fn z() { crate::lost3() } } _ => {} } };
}
pick! { feature = "a", fn f() { lost1() } fn g() { lost2() } }
""",
    "statement_gates": """
macro_rules! if_b { ($($s:stmt;)*) => { $( #[cfg(feature = "b")] $s; )* }; }
macro_rules! trace { ($($e:expr),* $(,)?) => { #[cfg(feature = "a")] { $( let _ = $e; )* } }; }
fn go() {
    if_b! { lost1(); let _ = lost2 + 1; }
    trace!(lost3(), vec![lost4], |x: u8| -> u8 { lost5(x) },);
}
""",
    "statements_of_many_shapes": """
macro_rules! both { ($e:expr, $b:block, $t:ty) => {{
    #[cfg(feature = "a")] let v: $t = $e;
    #[cfg(not(feature = "a"))] let v = 0;
    #[cfg(feature = "b")] $b
    #[cfg(feature = "c")] if true { $e; } else { $e; }
    #[cfg(all(feature = "b", feature = "c"))] return $e;
    #[cfg(feature = "a")] match v { _ => { let _: $t; } }
    v
}}; }
fn go() { both!(lost1.x(), { lost2() }, lost3); }
""",
    "gated_elements": """
pub struct P { x: u8, y: u8 }
macro_rules! elements { ($a:expr, $b:expr, $t:ty, $p:pat) => {
    struct Q { #[cfg(feature = "a")] x: $t, y: Vec<$t> }
    struct R(#[cfg(feature = "b")] $t, pub u8);
    enum E { #[cfg(feature = "c")] A($t), B { #[cfg(feature = "a")] f: $t } }
    fn call(#[cfg(feature = "a")] x: $t, _y: u8) -> u8 {
        call(#[cfg(feature = "a")] $a, $b);
        let _ = [#[cfg(feature = "b")] $a, $b];
        let _ = vec![#[cfg(feature = "c")] $a, 1];
        let _ = Q { #[cfg(feature = "a")] x: $a, y: $b };
        match 1 { #[cfg(feature = "b")] $p => $a, #[cfg(feature = "c")] 2 if $b => { 1 } _ => 0 }
    }
}; }
mod m { elements!(lost1, lost2(), lost3::T, lost4::P(_)); }
""",
    "inner_attributes": """
macro_rules! modules { ($($i:item)*) => {
    mod one { #![cfg(feature = "a")] $($i)* }
    #[cfg(feature = "b")] mod two { fn f() { #![cfg(feature = "c")] $($i)* } }
}; }
modules! { fn f() { lost1() } }
""",
    "attributes_of_the_caller": """
macro_rules! record {
    ($(#[$outer:meta])* $v:vis struct $name:ident { $( $(#[$inner:meta])* $fv:vis $field:ident : $t:ty ),* $(,)? }) => {
        $(#[$outer])* #[derive(Clone)] $v struct $name { $( $(#[$inner])* $fv $field: $t ),* }
    };
}
record! {
    /// Documented.
    #[cfg(feature = "a")]
    pub struct S { #[cfg(feature = "b")] pub x: lost1, pub(crate) y: Vec<Vec<lost2>>, }
}
""",
    "cfg_attr_of_the_macro": """
macro_rules! odd { ($e:expr, $($i:item)*) => {
    #[cfg_attr(feature = "a", cfg(feature = "b"))] fn f() { $e; }
    $( #[cfg_attr(not(feature = "c"), cfg(any()))] $i )*
}; }
odd! { lost1(), fn g() { lost2() } }
""",
    "tokens_in_cfg": """
macro_rules! when { ([$($c:tt)*] $f:literal $i:item) => { #[cfg(all($($c)*, feature = $f))] $i }; }
when! { [not(feature = "a")] "b" fn f() { lost1() } }
when! { [any(feature = "a", feature = "c")] "b" fn g() { lost2() } }
""",
    "tokens_behind_one_gate": """
macro_rules! first { ($($t:tt)*) => { #[cfg(feature = "a")] $($t)* }; }
first! { fn f() { lost1() } fn g() { lost2() } }
fn body() { first! { let _ = lost3; lost4(); } }
""",
    "paths_of_the_body": """
macro_rules! body { ($e:expr) => {{
    #[cfg(feature = "a")] $crate::lost1::write($e);
    #[cfg(not(feature = "a"))] { crate::lost2(); let _: crate::lost3::T<u8> = $e; }
    println!("{}", $crate::lost4);
    let _ = stringify!($crate::lost5, $e);
    #[cfg(feature = "c")] lost6!($e);
}}; }
fn f() { body!(lost7); }
""",
    "silent": """
macro_rules! quiet { ($e:expr) => {{ let _ = stringify!($e); let _ = concat!("a", stringify!($e)); assert!($e, "{}", 1); }}; }
macro_rules! dropped { ($($t:tt)*) => {}; }
macro_rules! if_test { ($i:item) => { #[test] $i }; }
fn f() { quiet!(lost1); dropped!(lost2()); }
if_test! { fn t() { lost3() } }
""",
    "recursion": """
macro_rules! each {
    () => {};
    ($(#[cfg($m:meta)])? fn $name:ident = $e:expr; $($rest:tt)*) => {
        $(#[cfg($m)])? fn $name() { $e; }
        each! { $($rest)* }
    };
}
each! { fn f = lost1; #[cfg(feature = "a")] fn g = lost2(); #[cfg(not(feature = "b"))] fn h = lost3?; }
""",
    "if_log": """
macro_rules! if_log {
    ($level:expr, $e:expr;) => { if_log! { $level, $e } };
    ($level:expr, $block:block) => { if_log! { $level, $block else {} } };
    ($level:expr, $block:block else $other:block) => {
        #[cfg(feature = "a")] { if $level { $block } else { $other } }
        #[cfg(not(feature = "a"))] $other
    };
}
fn f() { if_log! { lost1, { lost2() } } }
fn g() { if_log! { lost3, { lost4() } else { lost5() } } }
""",
    "has_atomic": """
macro_rules! cfg_atomic { ($($item:item)*) => {$( #[cfg_attr(not(feature = "a"), cfg(target_has_atomic = "no"))] $item )*}; }
cfg_atomic! { pub mod abort { use self::lost1; } pub use self::abort as x; }
""",
    "members": """
struct E;
macro_rules! cfg_a { ($($item:item)*) => { $( #[cfg(feature = "a")] $item )* }; }
impl E { cfg_a! { pub fn f(&self) -> lost1 { lost2() } pub const C: u8 = lost3; } }
trait T { cfg_a! { fn f(&self) -> lost4; type X: lost5::B; } }
""",
    "bitflags_like": """
macro_rules! flags {
    ($(#[$outer:meta])* $vis:vis struct $Name:ident: $T:ty {
        $( $(#[$inner:ident $($args:tt)*])* const $Flag:ident = $value:expr; )*
    } $($t:tt)*) => {
        $(#[$outer])* $vis struct $Name { bits: $T }
        impl $Name { $( $(#[$inner $($args)*])* pub const $Flag: $T = $value; )* }
        flags! { $($t)* }
    };
    () => {};
}
flags! {
    pub struct F: u32 {
        const A = 1;
        #[cfg(feature = "a")]
        const B = lost1 | 2;
        /// Documented
        #[cfg(any(feature = "b", feature = "c"))]
        const C = lost2 << 1;
    }
    struct G: lost3 {}
}
""",
    "first_rule_that_matches": """
macro_rules! kinds {
    (a $e:expr) => { #[cfg(feature = "a")] fn a() { $e; } };
    ($i:ident = $e:expr) => { #[cfg(feature = "b")] fn $i() { $e; } };
    ($t:ty) => { #[cfg(feature = "c")] fn c(_: $t) {} };
    ($($t:tt)*) => { #[cfg(all(feature = "a", feature = "b"))] $($t)* };
}
mod x { kinds! { a lost1 } }
mod y { kinds! { b = lost2 } }
mod w { kinds! { struct S { x: lost4 } } }
""",
    "nested_repetitions": """
macro_rules! table {
    ($( $p:meta => [ $( $name:ident : $($e:expr)=>+ );* ] ),* $(,)?) => {
        $( $( #[cfg($p)] fn $name() { $( $e; )+ } )* )*
    };
}
table! {
    feature = "a" => [ f : lost1 => lost2; g : lost3 ],
    all(feature = "b", not(feature = "a")) => [ h : lost4 ],
    not(feature = "c") => [],
}
""",
    "operators": """
macro_rules! op { ($a:ident -> $t:ty >> $e:expr) => { #[cfg(feature = "a")] fn $a() -> $t { $e } }; }
macro_rules! generic { (<$t:ty> $(<$u:ty>)?) => { #[cfg(feature = "b")] type A = $t; $( #[cfg(feature = "c")] type B = $u; )? }; }
mod m {
    op!(f -> fn(u8) >> lost1);
}
mod n { generic!(<Vec<Vec<lost2>>>); }
mod o { generic!(<&'static lost3> <[lost4; 2]>); }
""",
}

FRAGMENTS: dict[str, tuple[str, ...]] = {
    "expr": (
        "1 + 2 * -x",
        "a.b.c(1)[2]?.await",
        "x.0.1",
        "foo::<u8, Vec<Vec<u8>>>(1)",
        "<Vec<u8> as IntoIterator>::into_iter",
        "<u8>::MAX as u16 + 1",
        "S { a: 1, ..b }",
        "a::S::<u8> {}",
        "if a { 1 } else if let Some(x) = b && c { 2 } else { 3 }",
        "match x { A | B if c => {} _ => 1 }",
        "match (S { .. }) {}",
        "|a, &b: &u8| a + b",
        "move || -> u8 { 1 }",
        "async move { 1 }.await",
        "async || 1",
        "unsafe { x }",
        "'a: loop { break 'a 5 }",
        "for (a, b) in x.iter() {}",
        "while let Some(x) = it.next() {}",
        "return",
        "return Some(1)",
        "break",
        "..",
        "a..",
        "..=b",
        "a..b + 1",
        "(..)",
        "&mut *x",
        "&&x",
        "&raw const x",
        "(!x as u8) < y",
        "x = y = z",
        "x <<= 1 >> 2",
        "[1; 3]",
        "vec![1, 2].len()",
        'b"bytes"',
        'r#"raw " text"#',
        "'c'",
        "'\\u{1F600}'",
        "b'\\''",
        "1.0e-3_f32",
        "0xffu8",
        "1..2",
        "x?.y::<u8>()",
        "Self::A",
        "crate::a::b",
        "::std::mem::drop(x)",
        "r#type",
        "{ 1 }",
        "{ 1 } + 2",
        "a < b && c > d",
        "a || b",
        "#[allow(unused)] x",
        "let_x",
        "x as *const u8",
        "x as fn(u8) -> u8",
        "dyn_()",
        "union",
        'c"text"',
        "loop {}.x()",
    ),
    "ty": (
        "u8",
        "Vec<Vec<u8>>",
        "&'a mut [u8; 3]",
        "&&str",
        "*const *mut T",
        "(u8, Vec<u8>)",
        "dyn Fn(u8) -> u8 + Send + 'static",
        "impl Iterator<Item = Box<dyn A>> + '_",
        "fn(u8, &str) -> !",
        'unsafe extern "C" fn(x: u8, ...)',
        "for<'a> fn(&'a u8)",
        "for<'a> Tr<'a>",
        "<T as Tr<u8>>::Out",
        "a::b::<u8>::C",
        "Fn::(u8) -> u8",
        "[u8]",
        "!",
        "_",
        "m!(a, b)",
        "A<{ 1 + 2 }, -1, 'a, u8>",
        "A<B: C, D = E>",
        "&dyn Tr",
        "Box<dyn for<'a> Fn(&'a u8) -> &'a u8>",
        "A + B",
        "::std::vec::Vec<u8>",
        "Fn() -> <A as B>::C",
        "impl ?Sized + A",
    ),
    "pat": (
        "_",
        "x",
        "ref mut x",
        "mut x",
        "x @ 1..=5",
        "Some(x) | None",
        "| A | B",
        "A::B { x, y: 1, .. }",
        "[a, .., b]",
        "(a, b)",
        "&mut &x",
        "&&x",
        "-1..=1",
        "'a'..='z'",
        "5..",
        "A::B..=C",
        '"text"',
        "true",
        "<u8>::MAX",
        "m!(x)",
        "ref x @ Some(_)",
    ),
    "item": (
        "fn f() {}",
        "pub(crate) const unsafe extern \"C\" fn f<'a, T: A + ?Sized, const N: usize>(x: T) -> u8 where T: B<u8>, for<'b> &'b T: C {}",
        "async fn f(self: &Self);",
        "const C: [u8; { 3 }] = [0; 3];",
        "const _: () = { fn f() {} };",
        "static mut S: u8 = 1;",
        "struct S;",
        "struct S(pub u8, pub(in crate::a) u8) where u8: A;",
        "pub struct S<T = u8> where T: A { a: T }",
        "enum E<T> where T: A { A, B(u8) = 1, C { x: u8 } }",
        "union U { a: u8 }",
        "trait T: A + B where Self: C { fn f(); }",
        "unsafe auto trait T {}",
        "unsafe impl<T: A> !Send for S<T> where T: B {}",
        "impl<'a, T> A<'a> for [T; 3] {}",
        "impl S<{ 3 }> {}",
        "mod m;",
        "mod m { #![allow(unused)] }",
        "use a::{b, c::*, d as _};",
        "pub use ::a::b;",
        "extern crate a as b;",
        'extern "C" { fn f(); }',
        "unsafe extern { safe fn f(); }",
        "extern fn f() {}",
        "type A<T> = Vec<T>;",
        "type A: B where Self: C;",
        "macro_rules! m { () => {} }",
        "macro_rules! m ( () => {} );",
        "m! { a b }",
        "a::m!(x);",
        '#[cfg(x)] #[doc = "x"] pub fn f() {}',
        "/// Documented\n fn f() {}",
        "default fn f() {}",
    ),
    "stmt": (
        "let x = 1",
        "let Some(x): Option<u8> = y else { return }",
        "let x",
        "x()",
        "fn f() {}",
        "use a::b;",
        "m! { x }",
        "m!(x).y()",
        "if a {}",
        "unsafe { f() }.x()",
        "#[cfg(x)] let y = 1",
        "struct S;",
    ),
    "path": ("a", "::a::b<u8>", "a::b::<u8>::c", "Fn(u8) -> u8", "crate::a", "Self"),
    "meta": ("a", 'a(b, c = "d")', 'a::b = "c"', "a = 1 + 2", "a[x]", "unsafe(no_mangle)"),
    "literal": ("1", "-1.5", '"a"', "true", "b'a'", 'r"x"'),
    "vis": ("pub", "pub(crate)", "pub(in a::b)"),
    "lifetime": ("'a", "'static", "'_"),
    "block": ("{ 1 }",),
    "tt": ("(a b)", "=>", "&&", "'a", "x", "..=", "1.5", "<-"),
    "ident": ("a", "r#fn", "self", "fn"),
}
