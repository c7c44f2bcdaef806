"""Atoms: identity, order, text."""

from __future__ import annotations

import pytest

from cfglint.condition.atom import Atom, AtomKind, feature, flag, key_value, opaque


def test_a_feature_is_an_option_with_the_key_feature() -> None:
    assert key_value("feature", "gpu") is feature("gpu")
    assert key_value("target_os", "linux") == Atom(AtomKind.KEY_VALUE, "target_os", "linux")
    assert flag("unix") != feature("unix")


def test_order_is_features_flags_options_unknowns() -> None:
    atoms = [opaque("a"), key_value("a", "b"), key_value("a", "a"), flag("a"), feature("b"), feature("a")]
    assert sorted(atoms) == list(reversed(atoms))


@pytest.mark.parametrize(
    ("atom", "text"),
    [
        (feature("gpu"), 'feature = "gpu"'),
        (flag("windows"), "windows"),
        (flag("true"), "r#true"),
        (key_value("target_os", "linux"), 'target_os = "linux"'),
        (key_value("target_env", ""), 'target_env = ""'),
        (key_value("k", 'a"b\\c\n\x7f\u202e\U0001f980'), 'k = "a\\"b\\\\c\\n\\u{7f}\\u{202e}\U0001f980"'),
        (opaque("macro  m!\n{ }"), "macro m! { }"),
    ],
)
def test_text(atom: Atom, text: str) -> None:
    assert atom.text == text


@pytest.mark.parametrize(("kind", "value"), [(AtomKind.FLAG, "x"), (AtomKind.FEATURE, "x"), (AtomKind.KEY_VALUE, None)])
def test_only_key_value_options_have_a_value(kind: AtomKind, value: str | None) -> None:
    with pytest.raises(ValueError, match="does not fit"):
        Atom(kind, "k", value)
