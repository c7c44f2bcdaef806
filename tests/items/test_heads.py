"""What is read of a dependency's file is what can be named in it: the same as when the whole file is read."""

from __future__ import annotations

import re
from collections.abc import Iterable

import pytest

from cfglint.items.collect import collect, collect_heads
from cfglint.items.model import Item, ItemTree, Macro, ScopeKind
from tests.fixture_driver import FIXTURES

FILES = sorted(FIXTURES.glob("*/*/src/**/*.rs")) + sorted(FIXTURES.glob("*/*/*/src/**/*.rs"))
MODULES = (ScopeKind.FILE, ScopeKind.MODULE)


def gates(tree: ItemTree, gate: int) -> list[str]:
    found = []
    while gate > 0:
        found.append(re.sub(r"call=\d+", "call", repr(tree.gates[gate].predicate)))  # fewer calls are kept
        gate = tree.gates[gate].parent
    return found


def named(tree: ItemTree) -> list[tuple[object, ...]]:
    """Everything that a module declares, with its gates."""

    def is_outside_of_bodies(scope: int) -> bool:
        while scope >= 0 and tree.scopes[scope].kind in MODULES:
            scope = tree.scopes[scope].parent
        return scope < 0

    def at_module_level(rows: Iterable[Item | Macro]) -> list[Item | Macro]:
        return [row for row in rows if is_outside_of_bodies(row.scope)]

    found: list[tuple[object, ...]] = []
    for item in at_module_level(tree.items):
        assert isinstance(item, Item)
        variants = tuple((v.name, tuple(gates(tree, v.gate))) for v in item.members if item.kind == "enum")
        found.append((item.kind, item.name, item.visibility, item.start, gates(tree, item.gate), variants))
    for macro in at_module_level(tree.macros):
        assert isinstance(macro, Macro)
        found.append(("macro", macro.name, macro.start, gates(tree, macro.gate), repr(macro.exported)))
    imports = [row for row in tree.imports if is_outside_of_bodies(row.scope)]
    found += [("use", row.path, row.name, row.visibility, gates(tree, row.gate)) for row in imports]
    found += [
        ("mod", m.name, m.visibility, m.paths, gates(tree, m.gate))
        for m in tree.modules
        if is_outside_of_bodies(m.scope)
    ]
    return found


@pytest.mark.parametrize("batch", range(10))
def test_heads_are_what_modules_declare(batch: int) -> None:
    files = FILES[batch::10]
    assert files
    for file in files:
        source = file.read_bytes()
        whole, heads = collect(source), collect_heads(source)
        assert named(heads) == named(whole), file
        assert len(heads.references) <= len(whole.references), file


def test_bodies_are_passed_over() -> None:
    source = b"pub fn f() { g(); mod inner { pub fn h() {} } }\nimpl S { fn m() { g() } }\npub const C: u32 = g();\n"
    heads = collect_heads(source)
    assert [item.name for item in heads.items] == ["f", "C"]
    assert not heads.references
    assert not heads.impls


def test_a_file_that_cannot_be_read_is_a_gap_in_both_ways() -> None:
    source = b"\xff\xfe\x00"
    assert collect_heads(source) == collect(source)
