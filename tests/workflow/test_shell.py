"""Shell scripts: what the tree says, and which commands the interpreter makes of it."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from cfglint.syntax import shell
from cfglint.syntax.shell_parser import parse_script
from cfglint.workflow.calls import Call, Origin, Recorded
from cfglint.workflow.excerpts import make_source, whole
from cfglint.workflow.expressions import UNKNOWN
from cfglint.workflow.interpreter import interpret
from cfglint.workflow.shell_state import Setting, State
from cfglint.workflow.shell_words import Variables, stand_ins


def calls(script: str, root: Path = Path("/nowhere"), **variables: str) -> list[Call]:
    recorded = Recorded()
    known: Variables = {name: (value,) for name, value in variables.items()}
    interpret(whole(make_source(Path("script.sh"), script)), Setting(root, Origin("w", "j")), [State(known)], recorded)
    return recorded.calls


def run(script: str, **variables: str) -> list[str]:
    """The cargo commands of a script; what is not known is a question mark."""
    found = [" ".join(call.words).replace(UNKNOWN, "?") for call in calls(script, **variables)]
    return [text for text in found if text.startswith("cargo")]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("cargo check --features a,b", ["cargo check --features a,b"]),
        ("cargo check \\\n  -p a # why\n", ["cargo check -p a"]),
        ("X=a; cargo check -p $X", ["cargo check -p a"]),
        ("X=a cargo check -p $X", ["cargo check -p ?"]),
        ("cargo check -p ${X:-b} -p ${Y:+c}", ["cargo check -p b -p"]),
        ("F='--features a'; cargo check $F \"$F\"", ["cargo check --features a --features a"]),
        ('A="a b"; B=c; cargo check "$A $B  ${A},$B"', ["cargo check a b c  a b,c"]),
        ('cargo check "$(echo a) $(echo b)"', ["cargo check a b"]),
        ('A=(a b); A+=(c); cargo check "${A[@]}"', ["cargo check a b c"]),
        ("A=x; A+=y; cargo check $A", ["cargo check xy"]),
        ("for p in a b; do cargo check -p $p; done", ["cargo check -p a", "cargo check -p b"]),
        ("for p in $L; do cargo check -p $p; done", ["cargo check -p a", "cargo check -p b"]),
        ("for p in $(echo a b); do cargo check -p $p; done", ["cargo check -p a", "cargo check -p b"]),
        ("for p in $(ls); do cargo check -p $p; done", ["cargo check -p ?"]),
        ('f() { cargo $1 -p "${2}"; }; f check a; f test b', ["cargo check -p a", "cargo test -p b"]),
        ('f() { cargo "$@"; }\nf check -p a', ["cargo check -p a"]),
        (
            "if x; then cargo check; elif y; then cargo test; else cargo build; fi",
            ["cargo check", "cargo test", "cargo build"],
        ),
        ("if x; then A=a; else A=b; fi; cargo check -p $A", ["cargo check -p a", "cargo check -p b"]),
        ("case $X in a) cargo check;; b|c) cargo test;; esac", ["cargo check", "cargo test"]),
        ("while read -r p; do cargo check -p $p; done < list", ["cargo check -p ?"]),
        ("cargo check && cargo test || cargo build", ["cargo check", "cargo test", "cargo build"]),
        ("(cd a; cargo check)", ["cargo check"]),
        ("! cargo check", ["cargo check"]),
        ("out=$(cargo check 2>&1)", ["cargo check"]),
        ("cat <<EOF | cargo run\nx $(cargo no)\nEOF\n", ["cargo run"]),
        ("cargo check; exit 0; cargo test", ["cargo check", "cargo test"]),
        ("eval cargo check", []),
        ("echo cargo check", []),
        ("cargo check -p \"a b\" --features 'c d'", ["cargo check -p a b --features c d"]),
        ("export F=a && cargo check -F $F", ["cargo check -F a"]),
        ("read -r F; cargo check -F $F", ["cargo check -F ?"]),
        ("cargo check <<< $X", ["cargo check"]),
        ("for ((i = 0; i < 3; i++)); do cargo check; done", ["cargo check"]),
        ("fi done esac )(", []),
    ],
)
def test_commands(script: str, expected: list[str]) -> None:
    assert run(script, L="a b") == expected


@pytest.mark.parametrize(
    ("script", "stops"),
    [
        ("cargo check", True),
        ("cargo check || true", False),
        ("cargo check || failed=1", False),
        ("cargo check || exit 1", True),
        ("cargo check || { echo x; exit 1; }", True),
        ("cargo check && true", True),
        ("if cargo check; then true; fi", False),
        ("if ! cargo check; then exit 1; fi", True),
        ("if cargo check; then true; else exit 1; fi", True),
        ("! cargo check", False),
        ("cargo check | tee log", False),
        ("set -o pipefail; cargo check | tee log", True),
        ("set +e; cargo check", False),
        ("set +e; cargo check || exit 1", True),
        ("f() { cargo check; }; f", True),
        ("f() { cargo check; }; f || true", False),
        ("out=$(cargo check)", True),
        ("out=$(cargo check) || true", False),
    ],
)
def test_what_ends_the_script(script: str, stops: bool) -> None:
    found = [call.stops for call in calls(script) if call.name == "cargo"]
    assert found == [stops]


def test_where_output_goes() -> None:
    script = "a > f 2>&1\nb 2>&1 | tee -a g | grep x\nc > /dev/null 2>&1\nd 2> /dev/null\ne > /dev/null\nv=$(h)\n"
    found = {call.name: (call.kept_in, call.discards) for call in calls(script)}
    assert found["a"] == ("f", False)
    assert found["b"] == ("g", False)
    assert found["c"] == ("", True)
    assert found["d"] == ("", True)
    assert found["e"] == ("", False)
    assert found["h"] == ("$v", False)


def test_places_are_those_of_the_file() -> None:
    text = '# é\nfor p in a b\ndo\n  cargo check -p "$p"\ndone\n'
    found = [call for call in calls(text) if call.name == "cargo"]
    assert {(call.place.line, call.place.column) for call in found} == {(4, 3)}
    loop = found[0].loops[0]
    assert (loop.place.line, [(value, place.column) for value, place in loop.values]) == (2, [("a", 10), ("b", 12)])


def test_expressions_stand_in_for_as_long_a_variable() -> None:
    text = "cargo check -p ${{ matrix.package }} --features '${{ inputs.x }}' ${{a}}"
    changed, names = stand_ins(text)
    assert len(changed) == len(text)
    assert [name.strip() for name in names.values()] == ["matrix.package", "inputs.x", "a"]
    variables = dict(zip(names, ["net --release", "a b", '-F "c d"'], strict=True))
    assert run(changed, **variables) == ["cargo check -p net --release --features a b -F c d"]


def test_files_that_a_script_reads(tmp_path: Path) -> None:
    (tmp_path / "crates/a").mkdir(parents=True)
    (tmp_path / "crates/b").mkdir()
    (tmp_path / "list.txt").write_text("x\ny\n", "utf-8")
    script = "for c in $(cat list.txt) crates/*; do cargo check -p $c; done; cd crates; for d in *; do cargo test -p $d; done\n"
    found = [" ".join(call.words[2:]) for call in calls(script, tmp_path) if call.name == "cargo"]
    assert found == ["-p x", "-p y", "-p crates/a", "-p crates/b", "-p a", "-p b"]
    script = "for c in $(cat ../secret) ../*; do cargo check -p $c; done\n"
    assert {call.words[-1] for call in calls(script, tmp_path) if call.name == "cargo"} == {UNKNOWN}


def test_scripts_do_not_call_themselves_for_ever(tmp_path: Path) -> None:
    (tmp_path / "a.sh").write_text("cargo check\n./a.sh\nf() { f; }\nf\n", "utf-8")
    found = calls("./a.sh", tmp_path)
    assert 1 < sum(call.name == "cargo" for call in found) < 50


def test_work_is_bounded() -> None:
    nested = "for a in 1 2 3 4 5 6 7 8 9 0; do " * 8 + "cargo check; " + "done; " * 8
    assert len(calls(nested)) < 25_000
    branches = "".join(f"if x; then A{number}=1; else A{number}=2; fi\n" for number in range(40))
    assert len([call for call in calls(branches + "cargo check -p $A1") if call.name == "cargo"]) < 20
    assert calls("(" * 5_000) == []
    assert calls("$(" * 2_000) == []


@settings(max_examples=150, deadline=None)
@given(st.text(alphabet="ab c\n;&|(){}[]$\"'`\\<>#=!-\u00e9\0", max_size=60))
def test_no_text_is_too_odd(text: str) -> None:
    script = parse_script(text)
    assert isinstance(script.body, shell.Block)
    calls(text)
