"""The ways to write a reference: statements and items for each kind of name, given its path.

Every statement type-checks on its own when the path resolves, whatever the definition: functions take nothing and
give `u32`, constants are `u32`, tuple types hold one `u32`, records have the one field `v`.
"""

from __future__ import annotations

import random

VALUE_KINDS = frozenset({"fn", "const", "static", "variant"})
TYPE_KINDS = frozenset({"unit", "tuple", "record", "enum", "alias"})
KINDS = VALUE_KINDS | TYPE_KINDS | {"trait", "macro", "tuple-variant"}

_FN = (
    "let _ = {p}();",
    "let _ = {p}();",
    "let _: u32 = {p}() + 1;",
    "let _: fn() -> u32 = {p};",
    "assert_eq!({p}(), 1);",
    'println!("{{}}", {p}());',
    'let _ = format!("{{:?}} {{}}", 1, {p}());',
    "let _ = vec![{p}(), 2];",
    "let _ = [1u32, 2].iter().map(|_| {p}()).count();",
    "let _ = if cfg!({q}) {{ {p}() }} else {{ 0 }};",
    "if cfg!({q}) {{ let _ = {p}(); }}",
    "let _ = std::ops::Range {{ start: {p}(), end: 9 }};",
    "let _ = same!({p}());",
    "let _ = u32::max({p}(), 3);",
    "let _ = ({p})();",
    "let _ = || -> u32 {{ {p}() }};",
    "fn local() -> u32 {{ {p}() }}",
    "const LOCAL: u32 = {p}();",
    "static LOCAL: u32 = {p}();",
    "let Some(_) = Some({p}()) else {{ return }};",
    'debug_assert!({p}() == 1, "{{}}", {p}());',
    "while {p}() == 0 {{}}",
    "match {p}() {{ 0 => {{}} _ => {{}} }}",
    "let _ = [0u8; {p}() as usize];",
    "let _ = &{p} as &dyn Fn() -> u32;",
)
_CONST = (
    "let _ = {p};",
    "let _: u32 = {p} + 1;",
    "let _ = &{p};",
    "let _ = match 3u32 {{ {p} => 1, _ => 2u32 }};",
    "let _ = [0u8; {p} as usize];",
    "assert!({p} > 0);",
    "const LOCAL: u32 = {p};",
    "let _ = matches!(3u32, {p});",
    "let _ = vec![0u8; {p} as usize];",
    "for _ in 0..{p} {{}}",
)
_STATIC = ("let _ = {p};", "let _: &u32 = &{p};", "let _ = {p} + 1;", 'println!("{{}}", {p});')
_UNIT = (
    "let _ = {p};",
    "let {p} = {p};",
    "let _: {p} = {p};",
    "let _: Option<{p}> = None;",
    "let _ = match {p} {{ {p} => 1u32 }};",
    "fn local(_: {p}) {{}}",
    "let _ = std::mem::size_of::<{p}>();",
    "let _ = Vec::<{p}>::new();",
    "let _ = |_: &{p}| 1u32;",
    "let _ = <[{p}; 0]>::default();",
)
_TUPLE = (
    "let _ = {p}(1);",
    "let {p}(_) = {p}(1);",
    "let _: Option<{p}> = None;",
    "let _ = match {p}(1) {{ {p}(x) => x }};",
    "let _ = Some(1u32).map({p});",
    "fn local(x: &{p}) -> u32 {{ x.0 }}",
    "let _ = |{p}(x): {p}| x;",
    "let _: &[{p}] = &[];",
)
_RECORD = (
    "let _ = {p} {{ v: 1 }};",
    "let {p} {{ v: _ }} = {p} {{ v: 1 }};",
    "let _ = {p} {{ v: 1 }}.v;",
    "let _: Option<{p}> = None;",
    "let _ = match ({p} {{ v: 1 }}) {{ {p} {{ v, .. }} => v }};",
    "fn local(x: {p}) -> u32 {{ x.v }}",
)
_ENUM = (
    "let _: Option<{p}> = None;",
    "fn local(_: &{p}) {{}}",
    "let _ = std::mem::size_of::<{p}>();",
    "let _ = Vec::<{p}>::new();",
)
_ALIAS = (
    "let _: {p} = 1;",
    "let _ = {p}::MAX;",
    "let _ = 1u8 as {p};",
    "fn local(x: {p}) -> u32 {{ x }}",
    "let _ = <{p}>::from(1u8);",
)
_TRAIT = (
    "fn local<X: {p}>(_: X) {{}}",
    "fn local(_: &dyn {p}) {{}}",
    "fn local(_: impl {p}) {{}}",
    "fn local<X>(_: X) where X: {p} {{}}",
    "let _: Option<Box<dyn {p}>> = None;",
    "struct Local; impl {p} for Local {{}}",
    "use {p} as _;",
)
_VARIANT = ("let _ = {p};", "let _ = matches!({p}, {p});", "let _ = Some({p});", "let _ = || {p};")
_TUPLE_VARIANT = (
    "let _ = {p}(1);",
    "let _ = match {p}(1) {{ {p}(x) => x, _ => 0 }};",
    "if let {p}(_) = {p}(1) {{}}",
    "let _ = Some(1u32).map({p});",
)
_MACRO = (
    "let _ = {p}!();",
    "let _: u32 = {p}![] + 1;",
    'println!("{{}}", {p}!());',
    "let _ = same!({p}!());",
    "{p}!{{}};",
)

STATEMENTS: dict[str, tuple[str, ...]] = {
    "fn": _FN,
    "const": _CONST,
    "static": _STATIC,
    "unit": _UNIT,
    "tuple": _TUPLE,
    "record": _RECORD,
    "enum": _ENUM,
    "alias": _ALIAS,
    "trait": _TRAIT,
    "variant": _VARIANT,
    "tuple-variant": _TUPLE_VARIANT,
    "macro": _MACRO,
}

_TYPE_ITEMS = (
    "pub fn {n}(_: {p}) {{}}",
    "pub fn {n}() -> Option<{p}> {{ None }}",
    "pub type {N} = {p};",
    "pub struct {N} {{ pub v: Option<{p}> }}",
    "pub struct {N}(pub {p});",
    "pub enum {N} {{ Only({p}) }}",
    "pub trait {N} {{ fn m(&self, _: {p}) {{}} }}",
    "pub trait {N} {{ type Out; }} impl {N} for [{p}; 3] {{ type Out = {p}; }}",
    "pub const {N}: Option<{p}> = None;",
    "pub static {N}: Option<&'static {p}> = None;",
    "pub struct {N}<X = {p}>(pub X);",
    "impl {p} {{ pub fn {n}(&self) {{}} }}",
)
ITEMS: dict[str, tuple[str, ...]] = {
    "fn": (
        "pub const {N}: u32 = {p}();",
        "pub static {N}: u32 = {p}() + 1;",
        "pub const fn {n}() -> u32 {{ {p}() }}",
        "pub type {N} = [u8; {p}() as usize];",
        "pub enum {N} {{ Only = {p}() as isize }}",
        "pub trait {N} {{ const K: u32 = {p}(); fn m(&self) -> u32 {{ {p}() }} }}",
    ),
    "const": (
        "pub const {N}: u32 = {p};",
        "pub static {N}: [u8; {p} as usize] = [0; {p} as usize];",
        "pub fn {n}(_: [u8; {p} as usize]) {{}}",
        "pub enum {N} {{ Only = {p} as isize }}",
    ),
    "unit": _TYPE_ITEMS,
    "tuple": _TYPE_ITEMS,
    "record": _TYPE_ITEMS,
    "enum": _TYPE_ITEMS,
    "alias": tuple(form for form in _TYPE_ITEMS if not form.startswith("impl")),
    "trait": (
        "pub struct {N}; impl {p} for {N} {{}}",
        "pub trait {N}: {p} {{}}",
        "pub fn {n}<X: {p}>(_: X) {{}}",
        "pub fn {n}() -> Option<Box<dyn {p}>> {{ None }}",
        "pub struct {N}<X: {p}>(pub X);",
        "pub struct {N}<X>(pub X) where X: {p};",
        "pub trait {N} {{ type Out: {p}; }}",
        "pub fn {n}<'a>(_: &'a (dyn {p} + 'a)) {{}}",
    ),
}

GATED_VALUES = (
    ("let _ = match 1u32 {{", "    {a}", "    1 => {e},", "    _ => 0,", "}};"),
    ("let _ = vec![", "    1u32,", "    {a}", "    {e},", "];"),
    ("let _ = [", "    {a}", "    {e},", "    1u32,", "];"),
    ("let _ = std::cell::Cell::new({{", "    {a}", "    let _ = {e};", "    1u32", "}});"),
    ("let _ = {{", "    let x = 1u32;", "    {a}", "    let x = x + {e};", "    x", "}};"),
    ("{{", "    fn local({a} _: u32) {{}}", "    local({a} {e});", "}}"),
    (
        "{{",
        "    struct Local {{",
        "        {a}",
        "        v: u32,",
        "    }}",
        "    let _ = Local {{",
        "        {a}",
        "        v: {e},",
        "    }};",
        "}}",
    ),
    (
        "let _ = [1u32].iter().fold(0, |_, _| {{",
        "    {a}",
        "    return {e};",
        "    #[allow(unreachable_code)]",
        "    2",
        "}});",
    ),
    ("{a}", "if {e} > 0 {{", "    let _ = {e};", "}} else {{", "    let _ = 1;", "}}"),
    (
        "'out: loop {{",
        "    {a}",
        "    {{",
        "        let _ = {e};",
        "        break 'out;",
        "    }}",
        "    #[allow(unreachable_code)]",
        "    {{",
        "        break;",
        "    }}",
        "}}",
    ),
)

SHADOWS = (
    ("let {n} = 1u32;", "let _ = {n} + 1;"),
    ("let {n} = || 1u32;", "let _ = {n}();"),
    ("for {n} in 0..2u32 {{", "    let _ = {n};", "}}"),
    ("let _ = [1u32].iter().map(|{n}| {n} + 1);",),
    ("if let Some({n}) = Some(1u32) {{", "    let _ = {n};", "}}"),
    ("fn {n}() -> u32 {{ 1 }}", "let _ = {n}();"),
    ("let _ = match 1u32 {{ {n} if {n} > 1 => {n}, {n} => {n} }};",),
    ("fn local({n}: u32) -> u32 {{ {n} }}",),
    ("while let Some({n}) = None::<u32> {{ let _ = {n}; }}",),
    ("let _ = {n}();", "fn {n}() -> u32 {{ 1 }}"),
    ("let ({n}, _) = (1u32, 2u32);", "let _ = move || {n};"),
    ("macro_rules! local {{ ($x:expr) => {{ {{ let {n} = 1u32; $x + {n} }} }} }}", "let _ = local!(2u32);"),
)
TYPE_SHADOWS = (
    ("fn local<{n}>(x: {n}) -> {n} {{ x }}",),
    ("struct {n}; let _: Option<{n}> = None;",),
    ("fn local<{n}: Default>() -> {n} {{ {n}::default() }}",),
    ("type {n} = u32; let _: {n} = 1;",),
    ("struct Local<{n}>(Option<{n}>); impl<{n}> Local<{n}> {{ fn m(_: {n}) {{}} }}",),
)


def statement(rng: random.Random, kind: str, path: str, predicate: str) -> str:
    """One statement that names `path`; `predicate` is for forms with `cfg!()`."""
    form = rng.choice(STATEMENTS[kind])
    number = rng.randrange(1000)
    for word in ("local", "LOCAL", "Local"):
        form = form.replace(word, f"{word}{number}")
    return form.format(p=path, q=predicate)


def item(rng: random.Random, kind: str, path: str, name: str) -> str:
    """One item at module level that names `path` and calls itself `name`."""
    return rng.choice(ITEMS[kind]).format(p=path, n=name, N=name.upper())


def value(kind: str, path: str) -> str | None:
    """An expression of type u32 that names `path`, where the kind has one."""
    return {"fn": f"{path}()", "const": path, "static": path, "macro": f"{path}!()"}.get(kind)
