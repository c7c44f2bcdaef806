"""Positions against what the TOML parser found, on text that is written to be awkward."""

from __future__ import annotations

import random
from collections.abc import Iterator

import pytest
import tomli

from cfglint.manifest.positions import Key, Position, positions

AWKWARD = '''
# [not.a.table]
title = "a # b" # c = "d"
"quoted key" = 'lit # eral'
'single.dotted' = 1
long = """
[fake]
x = "\\""" \\
""\"\"\"
raw = \'\'\'
y = [1]
\'\'\'\'\'
date = 1979-05-27 07:32:00
nested = [ [ "a", [ "b" ] ], { c = "d", e.f = [ "g", "h", ], i = { j = "k" } }, # comment ]
  "ü", "after",
]
dotted.key.path = true
[ table . "with.dots" . 'and more' ]
k = [
  # ] comment
  "x",
]
[[array]]
n = "0"
[array.sub]
deep = 1
[[array.many]]
m = "0"
[[array]]
n = "1"
[[array.many]]
m = "1"
[[array.many]]
m = "2"
'''


def paths(value: object, base: tuple[Key, ...] = ()) -> Iterator[tuple[tuple[Key, ...], object]]:
    """Every key and every scalar array element of a parsed document."""
    if isinstance(value, dict):
        for key, below in value.items():
            yield (*base, key), below
            yield from paths(below, (*base, key))
    elif isinstance(value, list):
        for index, below in enumerate(value):
            if not isinstance(below, dict | list):
                yield (*base, index), below
            yield from paths(below, (*base, index))


def text_at(text: str, position: Position) -> str:
    line = text.split("\n")[position.line - 1].encode()
    assert position.line == position.end_line
    return line[position.column - 1 : position.end_column - 1].decode()


def check(text: str) -> None:
    found = positions(text)
    for path, value in paths(tomli.loads(text)):
        assert path in found, path
        written = text_at(text, found[path])
        if isinstance(path[-1], str):
            assert written.strip("\"'") == path[-1], path
        elif isinstance(value, str):
            assert written.strip("\"'") == value, path


def test_every_key_and_element_of_an_awkward_document_is_found() -> None:
    check(AWKWARD)
    check(AWKWARD.replace("\n", "\r\n"))


@pytest.mark.parametrize("block", range(4))
def test_random_documents(block: int) -> None:
    rng = random.Random(block)

    def value(depth: int) -> str:
        choice = rng.randint(0, 6 if depth < 3 else 3)
        if choice <= 1:
            return rng.choice(('"a"', "'b # c'", '"é]"', '"x, y"', "'{'"))
        if choice <= 3:
            return rng.choice(("1", "true", "-0.5", "1979-05-27"))
        if choice == 4:
            inside = [f"k{number} = {value(depth + 1)}" for number in range(rng.randint(0, 3))]
            return "{ " + ", ".join(inside) + " }"
        space = rng.choice((" ", "\n  ", " # x]\n "))
        return "[" + space + f",{space}".join(value(depth + 1) for _ in range(rng.randint(0, 3))) + space + "]"

    for _ in range(100):
        lines = [f"a{number} = {value(0)}" for number in range(4)]
        for number in range(3):
            lines.append(rng.choice((f"[t{number}]", f"[[u]]\n[u.v{number}]", f"[t.'q {number}']")))
            lines += [f"b{index} = {value(0)}" for index in range(2)]
        check("\n".join(lines))


def test_text_that_is_no_toml_ends_early() -> None:
    rng = random.Random(1)
    for _ in range(500):
        positions("".join(rng.choice("[]{}=.,\"'#\n abé\\") for _ in range(60)))
