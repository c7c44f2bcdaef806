"""How far an item reaches in a stream of tokens, and the elements of lists: fields, variants, parameters, match arms.

The part of the grammar of fragments.py that declares things. Nothing is interpreted.
Source: Reference, items; where attributes may stand: Reference, attributes.
"""

from __future__ import annotations

from collections.abc import Callable

from cfglint.items.fragments import Fragments
from cfglint.items.macro_tokens import Kind, UncertainError
from cfglint.items.type_extents import Role

_ITEM_WORDS = frozenset("fn struct enum trait impl mod use type static".split())


def visibility(f: Fragments, i: int) -> int:
    """Pass a visibility, perhaps none."""
    if f.at(i) == "$vis":
        return i + 1
    if f.at(i) != "pub":
        return i
    if f.at(i + 1) == "(":
        inner = f.at(i + 2)
        if inner == "in" or (inner in ("crate", "self", "super") and f.at(i + 3) == ")"):
            return f.group(i + 1, "(")
    return i + 1


def meta(f: Fragments, i: int) -> int:
    """Pass what stands in an attribute's brackets."""
    if f.at(i) == "$meta":
        return i + 1
    if f.at(i) == "unsafe":
        return f.group(i + 1, "(")
    i = f.path(i, in_type=False)
    if f.stream.is_kind(i, Kind.OPEN):
        return f.any_group(i)
    return f.expression(i + 1) if f.at(i) == "=" else i


def is_item(f: Fragments, i: int) -> bool:
    """Whether a statement that begins here is an item; macro calls without a name of their own are not."""
    here = f.at(i)
    after = f.at(i + 1)
    if here in ("pub", "$vis", "$item"):
        return True
    if here in _ITEM_WORDS:
        return here != "static" or after not in ("|", "||", "move")
    if here == "const":
        return after not in ("{", "|", "||", "$block", "move") and not (
            after == "async" and f.at(i + 2) in ("move", "|", "||", "{")
        )
    if here in ("unsafe", "async"):
        return after in ("fn", "extern", "impl", "trait", "unsafe", "mod", "auto")
    if here == "extern":
        return True
    if here in ("safe", "default", "auto"):
        return after in ("fn", "extern", "unsafe", "const", "async", "static", "impl", "type", "trait")
    if here == "union":
        return f.word(i + 1)
    return here == "macro_rules" and after == "!" and f.word(i + 2)


def item(f: Fragments, i: int) -> int:
    """Pass an item with its attributes, and with the semicolon where it ends in one."""
    i = f.attributes(i)
    if f.at(i) == "$item":
        return i + 1
    i = visibility(f, i)
    here = f.at(i)
    if here == "macro_rules" and f.at(i + 1) == "!":
        return _delimited(f, f.name(i + 2))
    if here == "auto" or (here == "default" and f.at(i + 1) != "!"):
        i += 1
    i = _qualifiers(f, i)
    i += f.at(i) == "auto" and f.at(i + 1) == "trait"
    handler = _ITEMS.get(f.at(i))
    if handler is not None:
        return handler(f, i + 1)
    if f.at(i) == "union" and f.word(i + 1):
        return _record(f, i + 1)
    if f.at(i) in ("const", "static"):
        return _constant(f, i + 1)
    if f.at(i) == "{" and f.at(i - 1) in ("extern", '"', "$literal"):
        return f.group(i, "{", Role.STATEMENTS)
    if f.at(i) == "crate" and f.at(i - 1) == "extern":
        return _semicolon(f, i + 1)
    i = f.expect(f.path(i, in_type=False), "!")
    return _delimited(f, i)


def _qualifiers(f: Fragments, i: int) -> int:
    while True:
        here, after = f.at(i), f.at(i + 1)
        if here == "const" and after not in ("fn", "unsafe", "async", "extern", "trait", "impl"):
            return i
        if here == "extern":
            i += 2 if after in ('"', "$literal") else 1
            if f.at(i) == "crate":
                return i
        elif here in ("const", "async", "unsafe") or (here == "safe" and after in ("fn", "static")):
            i += 1
        else:
            return i


def _delimited(f: Fragments, i: int) -> int:
    braces = f.at(i) == "{"
    i = f.any_group(i)
    return i if braces else f.expect(i, ";")


def _semicolon(f: Fragments, i: int) -> int:
    while f.at(i) != ";":
        if not f.at(i) or f.stream.is_kind(i, Kind.CLOSE):
            raise UncertainError
        i = f.stream.after(i)
    return i + 1


def _optional_generics(f: Fragments, i: int) -> int:
    return f.generics(i) if f.char(i, "<") else i


def _where(f: Fragments, i: int) -> int:
    if f.at(i) != "where":
        return i
    i += 1
    while f.at(i) not in ("{", ";", "="):
        i = f.attributes(i)
        if f.at(i) in ("'", "$lifetime"):
            i += 1
        else:
            i = f.generics(i + 1) if f.at(i) == "for" else i
            i = f.type_without_bounds(i)
        i = f.bounds(f.expect(i, ":"))
        if f.at(i) == ",":
            i += 1
        elif f.at(i) not in ("{", ";", "="):
            raise UncertainError
    return i


def _body(f: Fragments, i: int, role: Role) -> int:
    return i + 1 if f.at(i) == ";" else f.group(i, "{", role)


def _function(f: Fragments, i: int) -> int:
    i = f.group(_optional_generics(f, f.name(i)), "(", Role.PARAMETERS)
    if f.at(i) == "->":
        i = f.type(i + 2)
    i = _where(f, i)
    return i + 1 if f.at(i) == "$block" else _body(f, i, Role.STATEMENTS)


def _record(f: Fragments, i: int) -> int:
    i = _optional_generics(f, f.name(i))
    if f.at(i) == "(":
        return f.expect(_where(f, f.group(i, "(", Role.TUPLE)), ";")
    return _body(f, _where(f, i), Role.FIELDS)


def _enum(f: Fragments, i: int) -> int:
    return f.group(_where(f, _optional_generics(f, f.name(i))), "{", Role.VARIANTS)


def _trait(f: Fragments, i: int) -> int:
    i = _optional_generics(f, f.name(i))
    if f.at(i) == ":":
        i = f.bounds(i + 1)
    if f.at(i) == "=":
        i = f.bounds(i + 1)
    return _body(f, _where(f, i), Role.STATEMENTS)


def _impl(f: Fragments, i: int) -> int:
    i = _optional_generics(f, i)
    i += f.at(i) == "const"
    i += f.at(i) == "!"
    i = f.type(i)
    if f.at(i) == "for":
        i = f.type(i + 1)
    return f.group(_where(f, i), "{", Role.STATEMENTS)


def _module(f: Fragments, i: int) -> int:
    return _body(f, f.name(i), Role.STATEMENTS)


def _type_alias(f: Fragments, i: int) -> int:
    i = _optional_generics(f, f.name(i))
    if f.at(i) == ":":
        i = f.bounds(i + 1)
    i = _where(f, i)
    if f.at(i) == "=":
        i = _where(f, f.type(i + 1))
    return f.expect(i, ";")


def _constant(f: Fragments, i: int) -> int:
    i = _optional_generics(f, f.name(i + (f.at(i) == "mut")))
    if f.at(i) == ":":
        i = f.type(i + 1)
    if f.at(i) == "=":
        i = f.expression(i + 1)
    return f.expect(_where(f, i), ";")


_ITEMS: dict[str, Callable[[Fragments, int], int]] = {
    "fn": _function,
    "struct": _record,
    "enum": _enum,
    "trait": _trait,
    "impl": _impl,
    "mod": _module,
    "type": _type_alias,
    "use": _semicolon,
}


def element(f: Fragments, i: int, role: Role) -> int:
    """Pass one element of a list, after its attributes and before the comma."""
    match role:
        case Role.INITIALIZERS:
            if f.at(i) == "..":
                return f.expression(i + 2) if f.may_begin_expression(i + 2) else i + 2
            i += 1
            return f.expression(i + 1) if f.at(i) == ":" else i
        case Role.FIELDS:
            i = f.type(f.expect(f.name(visibility(f, i)), ":"))
            return f.expression(i + 1) if f.at(i) == "=" else i
        case Role.VARIANTS:
            i = f.name(visibility(f, i))
            if f.at(i) in ("(", "{"):
                i = f.any_group(i, Role.TUPLE if f.at(i) == "(" else Role.FIELDS)
            return f.expression(i + 1) if f.at(i) == "=" else i
        case Role.TUPLE:
            return f.type(visibility(f, i))
        case Role.PARAMETERS:
            return _parameter(f, i)
        case Role.PATTERN_FIELDS:
            if f.at(i) == "..":
                return i + 2
            if f.stream.is_kind(i, Kind.IDENT) and f.at(i + 1) == ":":
                return f.pattern(i + 2)
            return f.pattern(i)
        case Role.ARMS:
            i = f.pattern(i)
            if f.at(i) == "if":
                i = f.expression(i + 1)
            return f.statement_expression(f.expect(i, "=>"))
        case _:
            return f.expression(i)


def _parameter(f: Fragments, i: int) -> int:
    if f.at(i) == "...":
        return i + 3
    start = i
    if f.at(i) == "&":
        i += 1
        i += f.at(i) == "'"
    i += f.at(i) == "mut"
    if f.at(i) == "self":
        return f.type(i + 2) if f.at(i + 1) == ":" else i + 1
    try:
        i = f.expect(f.single_pattern(start), ":")
    except UncertainError:
        return f.type(start)  # of a function pointer, or of the 2015 edition's traits
    return i + 3 if f.at(i) == "..." else f.type(i)
