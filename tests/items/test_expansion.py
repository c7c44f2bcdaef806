from __future__ import annotations

import itertools
import json
import re
import subprocess
from pathlib import Path

import pytest

from cfglint.condition.predicate import All, Any, Literal, Not, Option, Predicate
from cfglint.items.collect import collect
from cfglint.items.expanded import BodyPath, Expansion, Piece
from cfglint.items.expansion import Lookup, expand
from cfglint.items.model import Call
from tests.items.expansion_cases import CASES, FRAGMENTS
from tests.oracle.cargo_oracle import require_cargo, rustc

FIXTURES = Path(__file__).parents[2] / "fixtures_rust"
A, B, C = (Option("feature", name) for name in "abc")
TRUE = Literal(True)


def definitions(source: bytes) -> dict[str, int]:
    return {found.group(1).decode(): found.start(1) for found in re.finditer(rb"macro_rules!\s*([a-z_A-Z]\w*)", source)}


def lookup_in(source: bytes) -> Lookup:
    known = definitions(source)
    return lambda path: (source, known[path[-1]]) if path[-1] in known else None


def outermost_calls(source: bytes) -> list[Call]:
    known = definitions(source)
    calls = sorted((call for call in collect(source).calls if call.path[-1] in known), key=lambda call: call.start)
    result: list[Call] = []
    for call in calls:
        if not result or call.start >= result[-1].end:
            result.append(call)
    return result


def expand_call(source: bytes, call: Call, lookup: Lookup | None = None) -> Expansion | None:
    return expand(source, definitions(source)[call.path[-1]], source, call.start, call.end, lookup)


def holds(predicate: Predicate, features: frozenset[str]) -> bool:
    match predicate:
        case Literal(value):
            return value
        case All(args):
            return all(holds(arg, features) for arg in args)
        case Any(args):
            return any(holds(arg, features) for arg in args)
        case Not(arg):
            return not holds(arg, features)
        case Option("feature", value):
            return value in features
        case Option():
            return False
        case _:
            raise AssertionError(predicate)


def only(text: str, lookup: Lookup | None = None) -> tuple[Expansion | None, bytes]:
    source = text.encode()
    (call,) = outermost_calls(source)
    return expand_call(source, call, lookup), source


def pieces(text: str) -> list[tuple[str, str, Predicate, tuple[tuple[str, ...], ...], bool]]:
    found, source = only(text)
    assert found is not None
    assert found.complete
    return [(source[p.start : p.end].decode(), p.kind, p.predicate, p.nested, p.scoped) for p in found.pieces]


# What rustc says


@pytest.fixture(scope="module")
def crate() -> bytes:
    return "\n".join(f"pub mod {name} {{{text}}}" for name, text in CASES.items()).encode()


@pytest.fixture(scope="module")
def errors(crate: bytes, tmp_path_factory: pytest.TempPathFactory) -> dict[frozenset[str], list[tuple[int, int]]]:
    """Spans of the errors about something lost, for every feature set."""
    require_cargo()
    folder = tmp_path_factory.mktemp("expansion")
    (folder / "lib.rs").write_bytes(crate)
    result: dict[frozenset[str], list[tuple[int, int]]] = {}
    for size in range(4):
        for features in itertools.combinations("abc", size):
            result[frozenset(features)] = _errors(folder, features)
    return result


def _errors(folder: Path, features: tuple[str, ...]) -> list[tuple[int, int]]:
    command = [str(rustc()), "--edition=2021", "--crate-type=lib", "--emit=metadata", "--error-format=json", "lib.rs"]
    command += [f'--cfg=feature="{name}"' for name in features] + ["--cap-lints=allow", "-o", "out.rmeta"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    spans: list[tuple[int, int]] = []
    for line in done.stderr.splitlines():
        message = json.loads(line)
        primary = [span for span in message["spans"] if span["is_primary"]]
        if message["level"] != "error" or not primary:
            continue
        assert "lost" in message["message"] or "lost" in message["rendered"], message["rendered"]
        spans += [(span["byte_start"], span["byte_end"]) for span in primary]
    return spans


@pytest.mark.cargo
@pytest.mark.parametrize("case", CASES)
def test_pieces_and_paths_are_compiled_when_rustc_compiles_them(
    case: str, crate: bytes, errors: dict[frozenset[str], list[tuple[int, int]]]
) -> None:
    offset = crate.index(f"pub mod {case} {{".encode()) + len(f"pub mod {case} {{")
    source = CASES[case].encode()
    conditions: dict[int, list[Predicate]] = {found.start(): [] for found in re.finditer(rb"\blost\d+", source)}
    for call in outermost_calls(source):
        found = expand_call(source, call, lookup_in(source))
        assert found is not None, source[call.start : call.end]
        assert found.complete, source[call.start : call.end]
        compiled: list[Piece | BodyPath] = [*(piece for piece in found.pieces if not piece.nested), *found.paths]
        for start in conditions:
            conditions[start] += [p.predicate for p in compiled if p.start <= start < p.end]
    assert conditions
    for start, predicates in conditions.items():
        for features, spans in errors.items():
            expected = any(low <= start + offset < high for low, high in spans)
            claimed = any(holds(predicate, features) for predicate in predicates)
            assert claimed == expected, (source[start : start + 12], sorted(features), predicates)


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FRAGMENTS.items() for text in texts])
def test_a_fragment_is_taken_whole(kind: str, text: str) -> None:
    source = f"macro_rules! fragment {{ ($x:{kind}) => {{ $x }}; }}\nfragment! {{ {text} }}\n".encode()
    call = source.rindex(b"fragment! {")
    found = expand(source, definitions(source)["fragment"], source, call, len(source) - 1)
    assert found is not None
    assert found.arm == 0


@pytest.mark.parametrize(("kind", "text"), [(kind, text) for kind, texts in FRAGMENTS.items() for text in texts])
def test_a_fragment_ends_before_what_may_follow(kind: str, text: str) -> None:
    follow = {"ty": "=> a", "path": "=> a", "pat": "=> a", "vis": ", a"}.get(kind, "; a")
    if kind in ("expr", "stmt"):
        follow = "=> a"
    source = (
        f"macro_rules! fragment {{ ($x:{kind} {follow}) => {{ $x }}; }}\nfragment! {{ {text} {follow} }}\n".encode()
    )
    call = source.rindex(b"fragment! {")
    found = expand(source, definitions(source)["fragment"], source, call, len(source) - 1)
    assert found is not None
    assert found.arm == 0


@pytest.mark.cargo
def test_rustc_takes_these_fragments(tmp_path: Path) -> None:
    require_cargo()
    lines = ["#![allow(unused)]"]
    for kind, texts in FRAGMENTS.items():
        lines.append(f"macro_rules! m_{kind} {{ ($x:{kind}) => {{}}; }}")
        lines += [f"m_{kind}! {{ {text} }}" for text in texts]
    (tmp_path / "lib.rs").write_text("\n".join(lines), "utf-8")
    command = [str(rustc()), "--edition=2024", "--crate-type=lib", "--emit=metadata", "--cap-lints=allow", "lib.rs"]
    done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


# The fixtures


@pytest.mark.parametrize(
    "name",
    [
        "configured-out-item/local-cfg-if",
        "configured-out-item/meta-gate-macro",
        "configured-out-item/macro-body-paths",
        "configured-out-item/macro-inner-gate",
        "configured-out-item/hygiene",
        "configured-out-item/statement-gate-macro",
        "configured-out-item/pass-through-macro",
        "configured-out-item/nested-gate-macros",
        "configured-out-macro/inner-macro",
        "configured-out-member/gate-macro-in-impl",
    ],
)
def test_the_calls_of_the_fixtures_are_understood(name: str) -> None:
    source = (FIXTURES / name / "src" / "lib.rs").read_bytes()
    calls = outermost_calls(source)
    assert calls
    for call in calls:
        found = expand_call(source, call, lookup_in(source))
        assert found is not None
        assert found.complete
        assert found.pieces or found.paths


# Details


def test_a_piece_passed_on_names_the_macro() -> None:
    text = """
macro_rules! cfg_a_and_b { ($($item:item)*) => { #[cfg(feature = "a")] inner::gate! { $( #[cfg(feature = "b")] $item )* } }; }
cfg_a_and_b! { fn f() {} }
"""
    assert pieces(text) == [("fn f() {}", "item", All((A, B)), (("inner", "gate"),), False)]


def test_neighbouring_tokens_are_one_piece() -> None:
    text = """
macro_rules! always { ($($t:tt)*) => { $($t)* }; }
always! { #[cfg(x)] pub fn gated() { a(); } pub fn plain(a: A, b: B) {} }
"""
    assert [p[:3] for p in pieces(text)] == [
        ("#[cfg(x)] pub fn gated() { a(); } pub fn plain(a: A, b: B) {}", "tt", TRUE)
    ]


def test_what_stands_in_the_macros_own_items_is_scoped() -> None:
    text = """
macro_rules! m { ([$($i:item)*] $n:ident, $e:expr) => { mod imp { $($i)* } fn $n() { $e } $( #[cfg(feature = "a")] $i )* }; }
m! { [fn f() {}] name, g() }
"""
    assert pieces(text) == [
        ("fn f() {}", "item", TRUE, (), True),
        ("name", "ident", TRUE, (), False),
        ("g()", "expr", TRUE, (), True),
        ("fn f() {}", "item", A, (), False),
    ]


def test_macros_of_std_are_looked_through() -> None:
    text = 'macro_rules! m { ($e:expr) => { println!("{}", $e); let _ = std::vec![$e, stringify!($e)]; other!($e) }; }\nfn f() { m!(x); }'
    assert [(p[0], p[3]) for p in pieces(text)] == [("x", ()), ("x", (("other",),))]


def test_a_definition_in_the_expansion_compiles_nothing() -> None:
    assert pieces("macro_rules! m { ($e:expr) => { macro_rules! inner { () => { $e } } }; }\nm!(x);") == []


def test_doc_comments_are_attributes_on_both_sides() -> None:
    text = """
macro_rules! m {
    ($name:ident, GET) => { m!(
        /// Documented by the macro.
        #[cfg(feature = "a")]
        $name, GET, 1); };
    // rules may be commented, /* and */
    /* so */ ($(#[$m:meta])+ $name:ident, $method:ident, $e:expr) => { $(#[$m])+ fn $name() { $e } };
}
m!(get, GET);
m!(/** Documented. */ post, POST, x());
"""
    source = text.encode()
    found = [expand_call(source, call) for call in outermost_calls(source)]
    assert [[(source[p.start : p.end], p.predicate) for p in one.pieces] for one in found if one is not None] == [
        [(b"get", A)],
        [(b"post", TRUE), (b"x()", TRUE)],
    ]


def test_statements_without_separators() -> None:
    text = "macro_rules! m { ($s:ident, mut $i:ident => { $($t:stmt)* }) => { $($t)* }; }\nfn f() { m!(self, mut x => { x.y(); let z = 1; }) }"
    assert [p[0] for p in pieces(text)] == ["x.y()", "let z = 1"]


def test_paths_are_those_the_macro_writes() -> None:
    text = """
macro_rules! m { ($p:path, $i:ident) => {
    use $crate::a::{b, c};
    fn f() -> crate::T<u8> { $crate::x::$i(); $p(); other::y(); $crate::call!(crate::inside); unknown!($crate::z); vec![crate::v::w] }
    #[cfg(feature = "a")] pub(in crate::k) struct S;
}; }
m!(crate::captured, name);
"""
    found, source = only(text)
    assert found is not None
    assert [(p.path, p.is_macro, p.predicate) for p in found.paths] == [
        (("$crate", "a"), False, TRUE),
        (("crate", "T"), False, TRUE),
        (("$crate", "x"), False, TRUE),
        (("$crate", "call"), True, TRUE),
        (("unknown",), True, TRUE),
        (("vec",), True, TRUE),
        (("crate", "v", "w"), False, TRUE),
        (("crate", "k"), False, A),
    ]
    assert [source[p.start : p.end].decode() for p in found.paths][:2] == ["$crate::a", "crate::T"]


@pytest.mark.parametrize(
    "text",
    [
        "macro_rules! m { (a) => {}; }\nm!(b);",
        "macro_rules! m { ($e:expr) => {}; }\nm!(1 2);",
        "macro_rules! m { ($($a:ident)* $b:ident) => {}; }\nm!(x y);",
        "macro_rules! m { ($i:item) => {}; }\nm!(1 + 2);",
        "macro_rules! m { ($e:expr) => {}; }\nm!(_);",
        "macro_rules! m { ($e:frag) => {}; }\nm!(x);",
        "macro_rules! m { ($p:pat) => {}; }\nm!(..=5);",
        "macro_rules! m { ($p:path) => {}; }\nm!(<A as B>::C);",
        "macro_rules! m { ($t:ty) => {}; ($($t:tt)*) => {}; }\nm!(fn f() {});",
    ],
)
def test_what_does_not_match_for_certain_is_left(text: str) -> None:
    found, _ = only(text)
    assert found is None


@pytest.mark.parametrize(
    "text",
    [
        "macro_rules! m { ($($e:expr),*) => { ${count($e)} }; }\nfn f() { m!(x); }",
        'macro_rules! m { ($t:ty) => { fn f<#[cfg(feature = "a")] T: Into<$t>>() {} }; }\nm!(x);',
        "macro_rules! m { (@loop $($t:tt)*) => { m!(@loop $($t)*); }; ($($t:tt)*) => { m!(@loop $($t)*); }; }\nm!(x);",
        'macro_rules! m { ($($i:item)*) => { other! { #![feature = "a"] $($i)* } }; }\nm! { fn f() {} }',
        'macro_rules! m { ($($t:tt)*) => { #[cfg(feature = "a")] $($t)* }; }\nm! { x: u8, y: u8 }',
    ],
)
def test_what_is_not_understood_is_not_complete(text: str) -> None:
    found, _ = only(text)
    assert found is not None
    assert not found.complete
