"""GitHub's expressions and matrices."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from cfglint.workflow import yaml_nodes as y
from cfglint.workflow.excerpts import make_source
from cfglint.workflow.expressions import UNKNOWN, filled, truth_of, value_of
from cfglint.workflow.matrix_axes import axes

KNOWN = {"matrix.os": "ubuntu", "matrix.flag": "", "env.X": "a,b", "inputs.n": "3", "matrix.has.dash-ed": "d"}


@pytest.mark.parametrize(
    ("expression", "value"),
    [
        ("matrix.os", "ubuntu"),
        ("'it''s'", "it's"),
        ("matrix.flag || 'none'", "none"),
        ("matrix.os && 'yes' || 'no'", "yes"),
        ("matrix.os == 'UBUNTU'", "true"),
        ("matrix.os != 'ubuntu' || inputs.n", "3"),
        ("(matrix.flag || env.X)", "a,b"),
        ("format('{0}-{1}', matrix.os, 5)", "ubuntu-5"),
        ("contains(env.X, 'b')", "true"),
        ("startsWith(matrix.os, 'win')", "false"),
        ("matrix.has['dash-ed']", "d"),
        ("true && false", "false"),
        ("!matrix.flag", "true"),
        ("null", ""),
        ("steps.x.outputs.y", UNKNOWN),
        ("github.ref == 'x'", UNKNOWN),
        ("fromJSON(env.X)", UNKNOWN),
        ("matrix.os == ", UNKNOWN),
        ("5 > 3", UNKNOWN),
        ("a b", UNKNOWN),
        ("'open", UNKNOWN),
        ("(" * 3000, UNKNOWN),
    ],
)
def test_values(expression: str, value: str) -> None:
    assert value_of(expression, KNOWN.get) == value


@pytest.mark.parametrize(
    ("condition", "truth"),
    [
        ("matrix.os == 'ubuntu'", True),
        ("${{ matrix.os == 'windows' }}", False),
        ("always() && matrix.flag", False),
        ("failure()", False),
        ("github.event_name == 'push'", None),
        ("false && github.x", False),
        ("github.x && false", False),
        ("", None),
    ],
)
def test_conditions(condition: str, truth: bool | None) -> None:
    assert truth_of(condition, KNOWN.get) is truth


def test_texts_are_filled() -> None:
    assert filled("-p ${{ matrix.os }} -F${{env.X}} ${{ x }}", KNOWN.get) == f"-p ubuntu -Fa,b {UNKNOWN}"


@given(st.text(alphabet="ab.'|&=!()[], 0-é${}", max_size=40))
def test_no_expression_is_too_odd(text: str) -> None:
    assert isinstance(value_of(text, KNOWN.get), str)
    truth_of(text, KNOWN.get)


def matrix(text: str) -> list[dict[str, str]]:
    found = y.documents(make_source(Path("x.yml"), text))
    assert not isinstance(found, y.Broken)
    return [dict(one) for one in axes(found[0]).combinations]


def test_the_example_of_githubs_documentation() -> None:
    found = matrix(
        """
        fruit: [apple, pear]
        animal: [cat, dog]
        include:
          - color: green
          - color: pink
            animal: cat
          - fruit: apple
            shape: circle
          - fruit: banana
          - fruit: banana
            animal: cat
        """
    )
    assert found == [
        {"fruit": "apple", "animal": "cat", "color": "pink", "shape": "circle"},
        {"fruit": "apple", "animal": "dog", "color": "green", "shape": "circle"},
        {"fruit": "pear", "animal": "cat", "color": "pink"},
        {"fruit": "pear", "animal": "dog", "color": "green"},
        {"fruit": "banana"},
        {"fruit": "banana", "animal": "cat"},
    ]


def test_what_is_excluded() -> None:
    found = matrix("os: [a, b]\nn: [1, 2]\nexclude:\n  - {os: a, n: 2}\n  - {os: b}\n")
    assert found == [{"os": "a", "n": "1"}]


def test_axes_of_mappings_and_what_is_made_at_run_time() -> None:
    assert matrix("t:\n  - {name: x, flags: -F a}\n  - name: y\n") == [
        {"t.name": "x", "t.flags": "-F a"},
        {"t.name": "y"},
    ]
    assert matrix("p: ${{ fromJSON(x) }}\n") == [{"p": UNKNOWN}]
    assert matrix("a: [" + "x, " * 40 + "]\nb: [" + "x, " * 40 + "]\n") == [{}]


def test_aliases_that_would_fill_the_memory_cost_nothing() -> None:
    text = "a: &a [x, x]\n" + "".join(
        f"a{n}: &a{n} [*a{n - 1 if n else ''}, *a{n - 1 if n else ''}]\n" for n in range(40)
    )
    found = y.documents(make_source(Path("x.yml"), text.replace("*a-1", "*a")))
    assert not isinstance(found, y.Broken)
    assert len(y.items(y.get(found[0], "a39"))) == 2


@pytest.mark.parametrize(
    ("text", "value", "places"),
    [
        ("run: |\n  ab\n    cd\n", "ab\n  cd\n", {"a": (2, 3), "c": (3, 5)}),
        ("run: |-\n\n   ab\n", "\nab", {"a": (3, 4)}),
        ("run: >\n  ab\n  cd\n", "ab cd\n", {"a": (2, 3), "c": (3, 3)}),
        ('run: "a\\"b"\n', 'a"b', {"a": (1, 7), "b": (1, 10)}),
        ("run: 'a''b'\n", "a'b", {"a": (1, 7), "b": (1, 10)}),
        ("run: é b\n", "é b", {"b": (1, 9)}),
    ],
)
def test_characters_know_their_place(text: str, value: str, places: dict[str, tuple[int, int]]) -> None:
    source = make_source(Path("x.yml"), text)
    found = y.documents(source)
    assert not isinstance(found, y.Broken)
    node = y.get(found[0], "run")
    assert node is not None
    excerpt = y.excerpt(source, node)
    assert excerpt is not None
    assert excerpt.text == value
    for char, place in places.items():
        assert excerpt.at(len(value[: value.index(char)].encode("utf-8"))) == place
