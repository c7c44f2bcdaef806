"""What a build script can set, read from its source: options, their conditions, declared names, aliases.

An option that is printed on every way through `main` is always on; one behind conditions that test only features and
target options is a formula; for all others the script has to be run, so nothing is known of them. A script that fails
fails the build, which is why only returning early makes what follows conditional. Functions that `main` calls by name
are followed; text that is found anywhere else is taken to be printed sometimes.

What this deliberately does not do: run anything; follow modules in other files, macros, or crates that print options
(`autocfg` and the like), for which `makes_up` stands.

Source: Cargo book, Build Scripts (`cargo::rustc-cfg`, `cargo::rustc-check-cfg`); the `cfg_aliases` crate's syntax.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from cfglint.condition.predicate import Predicate
from cfglint.items.build_output import ANYWHERE, Output, formatted
from cfglint.items.build_values import (
    DEPTH_CAP,
    FALSE,
    TRUE,
    Names,
    Node,
    Reader,
    Spelled,
    Unknown,
    Value,
    any_of,
    both,
    either,
    negation,
    string_of,
)
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import name_of, read_attributes, text_of
from cfglint.syntax.parser import parse

_CALLS_CAP = 200
"""Calls of the script's own functions that are followed, all told."""

_PRINTERS = frozenset({"println", "print"})
_PRINTING_CRATES = frozenset({b"autocfg", b"pyo3_build_config", b"system_deps"})
"""Crates that print options of their own making when they are asked to."""
_HARMLESS = frozenset(
    (word,) for word in ("allow", "warn", "deny", "forbid", "expect", "inline", "doc", "must_use", "rustfmt", "clippy")
)
"""Attributes that leave alone what they stand on."""

RETURN_EXPRESSION = g.kind("return_expression")
TRY_EXPRESSION = g.kind("try_expression")
UNSAFE_BLOCK = g.kind("unsafe_block")
MUTABLE = g.kind("mutable_specifier")
_WORDS = frozenset({g.IDENTIFIER, g.TYPE_IDENTIFIER, g.FIELD_IDENTIFIER})
_JUMPS = frozenset({g.kind("break_expression"), g.kind("continue_expression")})
_OWN_BODY = frozenset({g.CLOSURE, g.FUNCTION_ITEM, g.MACRO_DEFINITION})


@dataclass(frozen=True, slots=True)
class ScriptOption:
    """`--cfg name` or `--cfg name="value"`, and when it is set; None if that cannot be read."""

    name: str
    value: str | None
    predicate: Predicate | None


@dataclass(frozen=True, slots=True)
class BuildScript:
    """What a script can set, sorted by name.

    `check_cfg` are the `cfg(...)` texts that it declares; `open_names` the options that it gives values which the source
    does not spell; `makes_up` says whether there may be options with names of its own making; `aliases` are exact
    definitions, in target options and features of the package, other aliases replaced.
    """

    options: tuple[ScriptOption, ...] = ()
    check_cfg: tuple[str, ...] = ()
    open_names: tuple[str, ...] = ()
    makes_up: bool = False
    aliases: tuple[tuple[str, Predicate], ...] = ()


NO_SCRIPT = BuildScript()


def read(source: bytes, features: Iterable[str]) -> BuildScript:
    """What the build script `source` of a package with these features can set. Never raises, whatever the source."""
    root = parse(source).root_node
    return _Script(source, frozenset(features), root).result()


@dataclass(frozen=True, slots=True)
class _Function:
    name: str
    gate: Unknown
    parameters: tuple[str, ...]
    body: Node


class _Script:
    """One walk through a script. `path` is everywhere the predicate of getting there; None is unknown."""

    def __init__(self, source: bytes, features: Collection[str], root: Node) -> None:
        self.source = source
        self.reader = Reader(source, features)
        self.root = root
        self.output = Output()
        self.functions: dict[str, list[_Function]] = {}
        self.read_literals: set[int] = set()
        self.followed: dict[str, set[int]] = {}
        self.calls = 0

    def result(self) -> BuildScript:
        is_certain = not self._may_exit()
        for function in self._functions():
            self.functions.setdefault(function.name, []).append(function)
        for function in self.functions.get("main", ()):
            self._block(function.body, function.gate if is_certain else None, {}, ("main",))
        self._rest()
        found = self.output
        return BuildScript(
            options=tuple(
                ScriptOption(name, value, found.options[name, value])
                for name, value in sorted(found.options, key=lambda key: (key[0], key[1] is not None, key[1] or ""))
            ),
            check_cfg=tuple(sorted(found.check_cfg)),
            open_names=tuple(sorted(found.open_names)),
            makes_up=found.makes_up,
            aliases=tuple(sorted(found.aliases.items())),
        )

    def _functions(self) -> Iterator[_Function]:
        for child, attributes in _with_attributes(self.root):
            if child.kind_id == g.FUNCTION_ITEM:
                name, body = child.child_by_field_id(g.F_NAME), child.child_by_field_id(g.F_BODY)
                if name is not None and body is not None:
                    parameters = tuple(self._parameters(child.child_by_field_id(g.F_PARAMETERS)))
                    yield _Function(name_of(self.source, name), self._gate(attributes), parameters, body)

    def _parameters(self, parameters: Node | None) -> Iterator[str]:
        """The names of the parameters, empty for patterns and what may be changed."""
        for parameter in () if parameters is None else parameters.named_children:
            if parameter.kind_id == g.PARAMETER:
                pattern = parameter.child_by_field_id(g.F_PATTERN)
                is_mutable = any(child.kind_id == MUTABLE for child in parameter.children)
                is_name = pattern is not None and pattern.kind_id == g.IDENTIFIER and not is_mutable
                yield text_of(self.source, pattern) if pattern is not None and is_name else ""

    def _gate(self, attributes: Sequence[Node]) -> Unknown:
        """When code with these attributes is compiled; unknown under an attribute that may be a macro."""
        if not attributes:
            return TRUE
        found = read_attributes(self.source, attributes)
        if any(other.meta.path[:1] not in _HARMLESS for other in found.others):
            return None
        return TRUE if found.gate is None else self.reader.own_cfg(found.gate)

    # Statements

    def _block(self, block: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> Unknown:
        """Walk the statements of a block; the answer is when its end is reached."""
        known = dict(names)
        if len(stack) > DEPTH_CAP:
            return None
        for statement, attributes in _with_attributes(block):
            gate = self._gate(attributes)
            if statement.kind_id == g.LET:
                self._let(statement, known, gate)
            after = self._statement(statement, both(path, gate), known, stack)
            if gate == TRUE:
                path = after
            elif self._returns(statement):
                path = either(after, both(path, negation(gate)))
        return path

    def _let(self, let: Node, known: dict[str, Value], gate: Unknown) -> None:
        pattern, value = let.child_by_field_id(g.F_PATTERN), let.child_by_field_id(g.F_VALUE)
        is_plain = gate == TRUE and pattern is not None and pattern.kind_id == g.IDENTIFIER
        is_plain = is_plain and not any(child.kind_id == MUTABLE for child in let.children)
        read = self.reader.value(value, known) if is_plain else None
        known.update((text_of(self.source, name), None) for name in _words(pattern))
        if pattern is not None and is_plain:
            known[text_of(self.source, pattern)] = read

    def _statement(self, node: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> Unknown:
        match node.kind_id:
            case g.EXPRESSION_STATEMENT:
                inner = next((child for child in node.named_children if child.kind_id not in g.COMMENTS), None)
                return path if inner is None else self._statement(inner, path, names, stack)
            case g.MACRO_INVOCATION:
                self._macro(node, path, names)
                return path
            case g.BLOCK if not any(child.kind_id == g.LABEL for child in node.children):
                return self._block(node, path, names, (*stack, ""))
            case _ if node.kind_id == UNSAFE_BLOCK:
                inner = next((child for child in node.named_children if child.kind_id == g.BLOCK), None)
                return path if inner is None else self._block(inner, path, names, (*stack, ""))
            case g.IF:
                return self._if(node, path, names, stack)
            case g.MATCH:
                return self._match(node, path, names, stack)
            case g.FOR if self._for(node, path, names, stack):
                return path
            case g.CALL_EXPRESSION if self._follow(node, path, names, stack):
                return path
            case _ if node.kind_id == RETURN_EXPRESSION:
                return FALSE if self._returns(node) else path
            case _ if node.kind_id in _OWN_BODY:
                return path
            case _:
                return None if self._returns(node) else path

    def _if(self, node: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> Unknown:
        condition = node.child_by_field_id(g.F_CONDITION)
        then, other = node.child_by_field_id(g.F_CONSEQUENCE), node.child_by_field_id(g.F_ALTERNATIVE)
        holds = self.reader.condition(condition, names)
        known = {**names, **dict.fromkeys((text_of(self.source, word) for word in _bound(condition)), None)}
        yes, no = both(path, holds), both(path, negation(holds))
        after_yes = yes if then is None else self._block(then, yes, known, (*stack, ""))
        after_no = no
        if other is not None:
            inner = next((child for child in other.named_children if child.kind_id not in g.COMMENTS), None)
            after_no = no if inner is None else self._statement(inner, no, names, (*stack, ""))
        return self._after(node, path, ((yes, after_yes), (no, after_no)))

    def _match(self, node: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> Unknown:
        value = self.reader.value(node.child_by_field_id(g.F_VALUE), names)
        body = node.child_by_field_id(g.F_BODY)
        rest, ways = path, []
        for arm, attributes in _with_attributes(body) if body is not None else ():
            pattern, result = arm.child_by_field_id(g.F_PATTERN), arm.child_by_field_id(g.F_VALUE)
            if arm.kind_id != g.MATCH_ARM or pattern is None or result is None:
                continue
            has_guard = attributes or pattern.child_by_field_id(g.F_CONDITION) is not None
            inner = next((child for child in pattern.children if child.kind_id not in g.COMMENTS), None)
            holds = None if has_guard else self.reader.matching(inner, value)
            known = {**names, **dict.fromkeys((text_of(self.source, word) for word in _words(pattern)), None)}
            start = both(rest, holds)
            rest = both(rest, negation(holds))
            ways.append((start, self._statement(result, start, known, (*stack, ""))))
        return self._after(node, path, ways)

    def _after(self, node: Node, path: Unknown, ways: Iterable[tuple[Unknown, Unknown]]) -> Unknown:
        """When the code behind the branches `ways` (their starts and ends) is reached."""
        return path if not self._returns(node) else any_of(end for _, end in ways)

    def _for(self, node: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> bool:
        """Walk the body once for each text that a loop goes through; whether it is such a loop."""
        pattern, body = node.child_by_field_id(g.F_PATTERN), node.child_by_field_id(g.F_BODY)
        texts = self.reader.listed(node.child_by_field_id(g.F_VALUE))
        if texts is None or pattern is None or pattern.kind_id != g.IDENTIFIER or body is None:
            return False
        if self._returns(node) or any(inner.kind_id in _JUMPS for inner in _inside(body, _OWN_BODY)):
            return False
        for text in texts[:_CALLS_CAP]:
            known = {**names, text_of(self.source, pattern): Spelled(text)}
            self._block(body, path if len(texts) <= _CALLS_CAP else None, known, (*stack, ""))
        return len(texts) <= _CALLS_CAP

    def _follow(self, call: Node, path: Unknown, names: Names, stack: tuple[str, ...]) -> bool:
        """Walk the function of this file that is called; whether there is one."""
        function, arguments = call.child_by_field_id(g.F_FUNCTION), call.child_by_field_id(g.F_ARGUMENTS)
        if function is None or function.kind_id != g.IDENTIFIER or arguments is None:
            return False
        name = text_of(self.source, function)
        if name not in self.functions or name in names or name in stack or self.calls >= _CALLS_CAP:
            return False
        self.calls += 1
        self.followed.setdefault(name, set()).add(function.start_byte)
        given = [child for child in arguments.named_children if child.kind_id not in g.COMMENTS]
        for callee in self.functions[name]:
            parameters = zip(callee.parameters, given, strict=False)
            known = {parameter: self.reader.value(argument, names) for parameter, argument in parameters if parameter}
            self._block(callee.body, both(path, callee.gate), known, (*stack, name))
        return True

    def _returns(self, node: Node) -> bool:
        """Whether the function may be left from inside `node` without the build failing.

        In `main`, and nowhere else, `?` and `return Err(..)` fail it.
        """
        for inner in _inside(node, _OWN_BODY):
            if inner.kind_id == TRY_EXPRESSION and not self._is_in_main(inner):
                return True
            if inner.kind_id == RETURN_EXPRESSION:
                value = inner.named_children[0] if inner.named_children else None
                is_error = value is not None and text_of(self.source, value).startswith("Err(")
                if not is_error or not self._is_in_main(inner):
                    return True
        return False

    def _is_in_main(self, node: Node) -> bool:
        return any(
            function.body.start_byte <= node.start_byte < function.body.end_byte
            for function in self.functions.get("main", ())
        )

    def _may_exit(self) -> bool:
        """Whether the process may end well before `main` does."""
        for node in _inside(self.root, frozenset()):
            if node.kind_id == g.CALL_EXPRESSION:
                text = text_of(self.source, node)
                if re.match(r"(::)?(std\s*::\s*)?(process\s*::\s*)?exit\s*\(", text) and not re.search(
                    r"\(\s*-?0*[1-9]\d*\s*\)$", text
                ):
                    return True
        return False

    # What is printed

    def _macro(self, node: Node, path: Unknown, names: Names) -> None:
        name, tokens = self._invoked(node)
        if tokens is None:
            return
        if name == "cfg_aliases":
            self.read_literals.add(tokens.start_byte)
            self.output.define(self.source, tokens, path)
        inside = [child for child in tokens.children[1:-1] if child.kind_id not in g.COMMENTS]
        text = string_of(self.source, inside[0]) if inside and name in _PRINTERS else None
        if text is None or not ANYWHERE.search(text):
            return
        self.read_literals.add(inside[0].start_byte)
        spelled = {key: value.text for key, value in names.items() if isinstance(value, Spelled)}
        self.output.print(formatted(text, self._arguments(inside[2:], spelled), spelled), path)

    def _invoked(self, node: Node) -> tuple[str, Node | None]:
        """The last word of a macro's path, and its tokens."""
        macro = node.child_by_field_id(g.F_MACRO)
        tokens = next((child for child in node.named_children if child.kind_id == g.TOKEN_TREE), None)
        return "" if macro is None else text_of(self.source, macro).rpartition("::")[2].strip(), tokens

    def _arguments(self, tokens: Sequence[Node], spelled: Mapping[str, str]) -> list[str | None]:
        """The arguments of a format string as far as their text is known."""
        found: list[str | None] = []
        group: list[Node] = []
        for token in (*tokens, None):
            if token is not None and token.type != ",":
                group.append(token)
                continue
            if group:
                known = string_of(self.source, group[0])
                known = spelled.get(text_of(self.source, group[0])) if known is None else known
                found.append(known if len(group) == 1 else None)
            group = []
        return found

    def _rest(self) -> None:
        """What the walk has not come by: text elsewhere, functions used otherwise, crates that print, other files."""
        output = self.output
        for node in _inside(self.root, frozenset()):
            if node.kind_id in (g.STRING_LITERAL, g.RAW_STRING_LITERAL):
                text = string_of(self.source, node) or ""
                if node.start_byte not in self.read_literals and ANYWHERE.search(text):
                    output.overhear(formatted(text, (), {}))
            elif node.kind_id in _WORDS:
                word = node.text or b""
                if word in _PRINTING_CRATES or word.startswith(b"emit_"):
                    output.makes_up = True
                self._otherwise_used(node, word)
            elif node.kind_id == g.MACRO_INVOCATION:
                name, tokens = self._invoked(node)
                if name == "include":
                    output.makes_up = True
                if name == "cfg_aliases" and tokens is not None and tokens.start_byte not in self.read_literals:
                    output.define(self.source, tokens, None)
            elif node.kind_id == g.MOD_ITEM and node.child_by_field_id(g.F_BODY) is None:
                output.makes_up = True

    def _otherwise_used(self, node: Node, word: bytes) -> None:
        """A function that is called where the walk does not go prints sometimes."""
        name = word.decode("utf-8", "replace")
        functions = self.functions.get(name)
        if functions is None or name == "main" or node.start_byte in self.followed.get(name, ()):
            return
        parent = node.parent
        if parent is not None and parent.kind_id == g.FUNCTION_ITEM and parent.child_by_field_id(g.F_NAME) == node:
            return
        for function in self.functions.pop(name):
            self._block(function.body, None, {}, (name,))


def _with_attributes(parent: Node) -> Iterator[tuple[Node, list[Node]]]:
    """The named children with the attribute items before each."""
    attributes: list[Node] = []
    for child in parent.named_children:
        if child.kind_id == g.ATTRIBUTE_ITEM:
            attributes.append(child)
        elif child.kind_id not in g.COMMENTS:
            yield child, attributes
            attributes = []


def _inside(node: Node, without: frozenset[int]) -> Iterator[Node]:
    """`node` and all nodes below it, those of the kinds `without` left out with what is in them."""
    pending = [node]
    while pending:
        current = pending.pop()
        yield current
        pending.extend(child for child in reversed(current.children) if child.kind_id not in without)


def _words(node: Node | None) -> Iterator[Node]:
    return (
        iter(()) if node is None else (inner for inner in _inside(node, frozenset()) if inner.kind_id == g.IDENTIFIER)
    )


def _bound(condition: Node | None) -> Iterator[Node]:
    """The words in the patterns of a condition."""
    if condition is not None:
        for inner in _inside(condition, frozenset()):
            if inner.kind_id == g.LET_CONDITION:
                yield from _words(inner.child_by_field_id(g.F_PATTERN))
