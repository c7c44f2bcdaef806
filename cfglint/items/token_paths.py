"""What can be told from the bare tokens of a macro call that nobody can parse: paths, identifiers, captured variables.

Single identifiers among tokens are no references: they may be anything.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Sequence

from cfglint.condition.predicate import MacroGate
from cfglint.items import model as m
from cfglint.items.std_macros import FORMAT_POSITION
from cfglint.items.walk import Node, Walk
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import spelled_name

_CAPTURE = re.compile(rb"(?<!\{)(?<!\\u)(?:\{\{)*\{([A-Za-z_][A-Za-z0-9_]*)")
_MAX_NAMES = 20_000
_PATH_STARTS = frozenset({g.IDENTIFIER, g.CRATE, g.SELF, g.SUPER})
_PATH_NEXT = frozenset({g.IDENTIFIER, g.SELF, g.SUPER})
_NO_PATH_AFTER = frozenset({g.PATH_SEPARATOR, g.DOT, g.DOLLAR})
_ROOTED_AFTER = frozenset({g.COMMA, g.EQUALS, g.ARROW, g.OPEN_BRACE, *map(g.token, ("(", "[", "|", "&", "&&"))})
"""Tokens after which `::` begins a path; after others it may go on with one."""


def scan_paths(w: Walk, tokens: Node, gate: int, call: int = -1) -> None:
    """Record paths of two or more segments among tokens that nobody can parse; with `call`, under the gates of their parts."""
    stack = [tokens]
    while stack:
        children = stack.pop().children
        for n, child in enumerate(children):
            if child.kind_id == g.TOKEN_TREE:
                if n > 1 and w.source[children[n - 2].start_byte : children[n - 2].end_byte] == b"mod":
                    w.gap(child, "a module in a macro call that is not understood")  # its paths are not those of here
                else:
                    stack.append(child)
        scan_run(w, children, gate, call)


def scan_run(w: Walk, children: Sequence[Node], gate: int, call: int = -1) -> None:
    """Record the paths in one run of tokens, not those in its groups."""
    kinds = [c.kind_id for c in children]
    index = 0
    while index < len(children):
        if kinds[index] in _PATH_STARTS and (index == 0 or kinds[index - 1] not in _NO_PATH_AFTER):
            index = _scan_one(w, children, kinds, index, gate, call)
        elif kinds[index] == g.PATH_SEPARATOR and (index == 0 or kinds[index - 1] in _ROOTED_AFTER):
            if index + 1 < len(children) and kinds[index + 1] == g.IDENTIFIER:
                index = _scan_one(w, children, kinds, index, gate, call)
        index += 1


def _scan_one(w: Walk, children: Sequence[Node], kinds: Sequence[int], index: int, gate: int, call: int) -> int:
    first = children[index]
    if call >= 0:
        gate = w.gate(gate, MacroGate(call, first.start_byte), first.start_byte)
    path = [w.name(first)]
    last = index
    if kinds[index] == g.PATH_SEPARATOR:
        last = index + 1
        path = ["", w.name(children[last])]
    while last + 2 < len(children) and kinds[last + 1] == g.PATH_SEPARATOR and kinds[last + 2] in _PATH_NEXT:
        last += 2
        path.append(w.name(children[last]))
    following = kinds[last + 1] if last + 1 < len(children) else -1
    if following == g.BANG and last + 2 < len(children) and kinds[last + 2] == g.TOKEN_TREE:
        w.reference(tuple(path), m.Space.MACRO, first.start_byte, children[last].end_byte, gate)
    elif len(path) > 1 and following != g.PATH_SEPARATOR:
        w.reference(tuple(path), m.Space.ANY, first.start_byte, children[last].end_byte, gate)
    return last


def identifiers(w: Walk, tokens: Node) -> tuple[str, ...]:
    """Every identifier in an invocation: the only names that a macro of the project can bring from outside itself.

    With a `*` among them if there is a glob import, which may bring any. Names of primitive types count where there are
    no others: nothing forbids to call a function `f32`.
    """
    names: set[str] = set()
    primitive: set[str] = set()
    source = w.source
    has_stars = source.find(b"*", tokens.start_byte, tokens.end_byte) != -1
    stack = [tokens]
    while stack and len(names) < _MAX_NAMES:
        children = stack.pop().children
        kinds = [child.kind_id for child in children]
        for child, kind in zip(children, kinds, strict=True):
            if kind == g.IDENTIFIER:
                names.add(spelled_name(source[child.start_byte : child.end_byte]))
            elif kind == g.PRIMITIVE_TYPE:
                primitive.add(w.text(child))
            elif kind == g.TOKEN_TREE:
                stack.append(child)
        if has_stars and (g.PATH_SEPARATOR, g.STAR) in itertools.pairwise(kinds):
            names.add("*")
    return tuple(sorted(names or primitive))


def captured_variables(w: Walk, name: str, tokens: Node, gate: int) -> None:
    """`{NAME}` in the format string of the macro `name` names a value (documentation of std::fmt, named parameters)."""
    if not _CAPTURE.search(w.source, tokens.start_byte, tokens.end_byte):
        return
    children = tokens.children
    named = {w.name(token) for token, after in itertools.pairwise(children) if after.kind_id == g.EQUALS}
    position = FORMAT_POSITION.get(name, 0)
    for token in children[1:-1]:
        if token.kind_id == g.COMMA:
            position -= 1
        if position == 0 and token.kind_id == g.STRING_LITERAL:
            for found in _CAPTURE.finditer(w.source, token.start_byte, token.end_byte):
                captured = found.group(1).decode()
                if captured not in named:
                    w.reference((captured,), m.Space.VALUE, found.start(1), found.end(1), gate)
            return
