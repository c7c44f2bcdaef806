"""What the conditions of a build script test: Cargo's environment variables, as predicates about the build.

`CARGO_FEATURE_X` is a feature of the package, `CARGO_CFG_X` an option of the target. Everything else that a script can
look at (the compiler, files, the user's environment, the host's `cfg!`) has no predicate: None, unknown.

Source: Cargo book, Environment variables Cargo sets for build scripts.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeAlias

import tree_sitter

from cfglint.condition.predicate import All, Any, Invalid, Literal, MacroGate, Not, Option, Predicate
from cfglint.syntax import grammar as g
from cfglint.syntax.attributes import metas_of_tokens, predicate_of, text_of
from cfglint.syntax.parser import parse, parse_stretch

Node: TypeAlias = tree_sitter.Node
Unknown: TypeAlias = Predicate | None
"""A predicate, or None where it cannot be read."""

TRUE = Literal(True)
FALSE = Literal(False)
DEPTH_CAP = 100
"""Expressions within expressions beyond which nothing is known."""

_SINGLE_VALUED = frozenset(
    "TARGET_OS TARGET_ARCH TARGET_ENV TARGET_ABI TARGET_VENDOR TARGET_ENDIAN TARGET_POINTER_WIDTH PANIC".split()
)
_ALWAYS_SET = frozenset("TARGET_OS TARGET_ARCH TARGET_ENDIAN TARGET_POINTER_WIDTH".split())
_LISTS = re.compile(r"TARGET_|PANIC$|FEATURE$|RELOCATION_MODEL$|SANITIZE")
_FLAG = re.compile(r"[A-Z_][A-Z0-9_]*")
_READERS = frozenset({"var", "var_os"})
_SAME = frozenset("as_deref as_ref as_str to_str to_string to_owned clone ok into to_string_lossy borrow".split())
_UNWRAPPING = frozenset("unwrap expect unwrap_or unwrap_or_default unwrap_or_else".split())
_WRAPPERS = frozenset({"Ok", "Some"})

BINARY_EXPRESSION = g.kind("binary_expression")
UNARY_EXPRESSION = g.kind("unary_expression")
REFERENCE_EXPRESSION = g.kind("reference_expression")
TRY_EXPRESSION = g.kind("try_expression")

F_OPERATOR = g.field("operator")


@dataclass(frozen=True, slots=True)
class Truth:
    """A boolean."""

    predicate: Predicate


@dataclass(frozen=True, slots=True)
class Variable:
    """What `env::var` says of one variable: there or not, and with which text."""

    name: str


@dataclass(frozen=True, slots=True)
class Text:
    """The text of a variable."""

    name: str


@dataclass(frozen=True, slots=True)
class Spelled:
    """A text that stands in the source."""

    text: str


Value: TypeAlias = Truth | Variable | Text | Spelled | None
Names: TypeAlias = Mapping[str, Value]


def both(left: Unknown, right: Unknown) -> Unknown:
    """Whether both hold."""
    if left == FALSE or right == FALSE:
        return FALSE
    if left is None or right is None:
        return None
    if left == TRUE:
        return right
    return left if right == TRUE else All((*_args(left, All), *_args(right, All)))


def either(left: Unknown, right: Unknown) -> Unknown:
    """Whether one holds at least."""
    if left == TRUE or right == TRUE:
        return TRUE
    if left is None or right is None:
        return None
    if left in (FALSE, right):
        return right
    return left if right == FALSE else Any((*_args(left, Any), *_args(right, Any)))


def negation(predicate: Unknown) -> Unknown:
    """Whether it does not hold."""
    match predicate:
        case None:
            return None
        case Literal(value):
            return FALSE if value else TRUE
        case Not(arg):
            return arg
        case _:
            return Not(predicate)


def any_of(predicates: Iterable[Unknown]) -> Unknown:
    """Whether one of them holds."""
    found: Unknown = FALSE
    for predicate in predicates:
        found = either(found, predicate)
    return found


def _args(predicate: Predicate, kind: type[All | Any]) -> tuple[Predicate, ...]:
    return predicate.args if isinstance(predicate, kind) and isinstance(predicate, All | Any) else (predicate,)


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads expressions of one source, for a package with these features."""

    source: bytes
    features: Collection[str]

    def truth(self, node: Node | None, names: Names) -> Unknown:
        """The predicate of a boolean expression."""
        value = self.value(node, names)
        return value.predicate if isinstance(value, Truth) else None

    def condition(self, node: Node | None, names: Names) -> Unknown:
        """The predicate of the condition of an `if`: an expression, a `let`, or a chain of both."""
        if node is None:
            return None
        if node.kind_id == g.LET_CHAIN:
            found: Unknown = TRUE
            for part in node.named_children:
                found = both(found, self.condition(part, names)) if part.kind_id not in g.COMMENTS else found
            return found
        if node.kind_id == g.LET_CONDITION:
            value = self.value(node.child_by_field_id(g.F_VALUE), names)
            return self.matching(node.child_by_field_id(g.F_PATTERN), value)
        return self.truth(node, names)

    def matching(self, pattern: Node | None, value: Value) -> Unknown:
        """When `value` matches `pattern`."""
        if pattern is None:
            return None
        if text_of(self.source, pattern) == "_":
            return TRUE
        if pattern.kind_id == g.OR_PATTERN:
            return any_of(self.matching(part, value) for part in _children(pattern))
        if pattern.kind_id == g.TUPLE_STRUCT_PATTERN:
            children = [child for child in pattern.children if child.type not in ("(", ")", ",")]
            if len(children) != 2 or text_of(self.source, children[0]) not in (*_WRAPPERS, "Err"):
                return None
            if not isinstance(value, Variable):
                return None
            if text_of(self.source, children[0]) == "Err":
                return negation(self.present(value.name)) if _is_catch_all(children[1]) else None
            if _is_catch_all(children[1]):
                return self.present(value.name)
            return self.matching(children[1], Text(value.name))
        if pattern.kind_id == g.IDENTIFIER:
            name = text_of(self.source, pattern)
            if name == "None" and isinstance(value, Variable):
                return negation(self.present(value.name))
            return TRUE if name[:1].islower() else None
        literal = string_of(self.source, pattern)
        if literal is not None and isinstance(value, Text):
            return self.equal(value.name, literal)
        if isinstance(value, Truth) and pattern.kind_id == g.BOOLEAN_LITERAL:
            return value.predicate if text_of(self.source, pattern) == "true" else negation(value.predicate)
        return None

    def value(self, node: Node | None, names: Names, depth: int = 0) -> Value:
        """What is known of the value of an expression."""
        if node is None or depth > DEPTH_CAP:
            return None
        match node.kind_id:
            case g.IDENTIFIER:
                return names.get(text_of(self.source, node))
            case g.BOOLEAN_LITERAL:
                return Truth(TRUE if text_of(self.source, node) == "true" else FALSE)
            case g.PARENTHESIZED:
                return self.value(next(iter(_children(node)), None), names, depth + 1)
            case _ if node.kind_id in (REFERENCE_EXPRESSION, TRY_EXPRESSION, UNARY_EXPRESSION):
                return self._prefixed(node, names, depth)
            case _ if node.kind_id == BINARY_EXPRESSION:
                return _truth(self._binary(node, names, depth))
            case g.MACRO_INVOCATION:
                return _truth(self._macro(node, names, depth))
            case g.CALL_EXPRESSION:
                return self._call(node, names, depth)
            case _:
                literal = string_of(self.source, node)
                return None if literal is None else Spelled(literal)

    def listed(self, node: Node | None) -> tuple[str, ...] | None:
        """The texts of an array of string literals, perhaps referred to or made an iterator."""
        while node is not None and node.kind_id != g.ARRAY_EXPRESSION:
            function = node.child_by_field_id(g.F_FUNCTION) if node.kind_id == g.CALL_EXPRESSION else None
            if function is not None and function.kind_id == g.FIELD_EXPRESSION:
                method = function.child_by_field_id(g.F_FIELD)
                is_iterator = method is not None and text_of(self.source, method) in ("iter", "into_iter")
                node = function.child_by_field_id(g.F_VALUE) if is_iterator else None
            else:
                node = _children(node)[-1] if node.kind_id == REFERENCE_EXPRESSION and _children(node) else None
        texts = [] if node is None else [string_of(self.source, element) for element in _children(node)]
        known = tuple(text for text in texts if text is not None)
        return None if node is None or len(known) < len(texts) else known

    def _prefixed(self, node: Node, names: Names, depth: int) -> Value:
        inner = self.value(next(iter(_children(node)[-1:]), None), names, depth + 1)
        if node.kind_id == TRY_EXPRESSION:
            return Text(inner.name) if isinstance(inner, Variable) else None
        if node.kind_id == UNARY_EXPRESSION and node.children[0].type == "!":
            return _truth(negation(inner.predicate)) if isinstance(inner, Truth) else None
        return inner if node.kind_id == REFERENCE_EXPRESSION or node.children[0].type == "*" else None

    def _binary(self, node: Node, names: Names, depth: int) -> Unknown:
        operator = node.child_by_field_id(F_OPERATOR)
        left, right = node.child_by_field_id(g.F_LEFT), node.child_by_field_id(g.F_RIGHT)
        if operator is None or left is None or right is None:
            return None
        if operator.type in ("&&", "||"):
            sides = [self.value(side, names, depth + 1) for side in (left, right)]
            predicates = [side.predicate if isinstance(side, Truth) else None for side in sides]
            return both(*predicates) if operator.type == "&&" else either(*predicates)
        if operator.type in ("==", "!="):
            found = self._equality(left, right, names, depth)
            if found is None:
                found = self._equality(right, left, names, depth)
            return found if operator.type == "==" else negation(found)
        return None

    def _equality(self, left: Node, right: Node, names: Names, depth: int) -> Unknown:
        value = self.value(left, names, depth + 1)
        literal = self._text(right)
        if literal is not None:
            return self.equal(value.name, literal) if isinstance(value, Text) else None
        if isinstance(value, Variable) and right.kind_id == g.CALL_EXPRESSION:
            function, arguments = self._callee(right)
            if function in _WRAPPERS and len(arguments) == 1:
                literal = self._text(arguments[0])
                return None if literal is None else self.equal(value.name, literal)
        if isinstance(value, Truth) and right.kind_id == g.BOOLEAN_LITERAL:
            return value.predicate if text_of(self.source, right) == "true" else negation(value.predicate)
        return None

    def _text(self, node: Node, depth: int = 0) -> str | None:
        """The text of a literal, perhaps referred to or made a `String`."""
        literal = string_of(self.source, node)
        if literal is not None or depth > DEPTH_CAP:
            return literal
        if node.kind_id == REFERENCE_EXPRESSION or node.kind_id == UNARY_EXPRESSION:
            return self._text(_children(node)[-1], depth + 1) if _children(node) else None
        if node.kind_id != g.CALL_EXPRESSION:
            return None
        function = node.child_by_field_id(g.F_FUNCTION)
        if function is not None and function.kind_id == g.FIELD_EXPRESSION:
            receiver, name = function.child_by_field_id(g.F_VALUE), function.child_by_field_id(g.F_FIELD)
            if receiver is not None and name is not None and text_of(self.source, name) in _SAME:
                return self._text(receiver, depth + 1)
            return None
        path, arguments = self._callee(node)
        return self._text(arguments[0], depth + 1) if path == "String::from" and len(arguments) == 1 else None

    def _callee(self, call: Node) -> tuple[str, Sequence[Node]]:
        function, arguments = call.child_by_field_id(g.F_FUNCTION), call.child_by_field_id(g.F_ARGUMENTS)
        if function is None or arguments is None:
            return "", ()
        return "".join(text_of(self.source, function).split()), _children(arguments)

    def _call(self, node: Node, names: Names, depth: int) -> Value:
        path, arguments = self._callee(node)
        if path.rpartition("::")[2] in _READERS and path.removeprefix("::").split("::")[:-1] in (
            ["std", "env"],
            ["env"],
            [],
        ):
            given = self.value(arguments[0], names, depth + 1) if len(arguments) == 1 else None
            return Variable(given.text) if isinstance(given, Spelled) else None
        function = node.child_by_field_id(g.F_FUNCTION)
        if function is None or function.kind_id != g.FIELD_EXPRESSION:
            return None
        receiver, method_node = function.child_by_field_id(g.F_VALUE), function.child_by_field_id(g.F_FIELD)
        if receiver is None or method_node is None:
            return None
        method = text_of(self.source, method_node)
        if method == "contains" and receiver.kind_id in (g.ARRAY_EXPRESSION, g.PARENTHESIZED, REFERENCE_EXPRESSION):
            return _truth(self._is_listed(receiver, arguments, names, depth))
        value = self.value(receiver, names, depth + 1)
        if isinstance(value, Variable):
            if method in ("is_ok", "is_some"):
                return _truth(self.present(value.name))
            if method in ("is_err", "is_none"):
                return _truth(negation(self.present(value.name)))
            if method in _UNWRAPPING:
                return Text(value.name)
        if isinstance(value, Text) and method == "eq" and len(arguments) == 1:
            literal = self._text(arguments[0])
            return None if literal is None else _truth(self.equal(value.name, literal))
        return value if method in _SAME else None

    def _is_listed(self, array: Node, arguments: Sequence[Node], names: Names, depth: int) -> Unknown:
        """`["linux", "android"].contains(&text)`."""
        value = self.value(arguments[0], names, depth + 1) if len(arguments) == 1 else None
        if array.kind_id != g.ARRAY_EXPRESSION or not isinstance(value, Text):
            return None
        literals = [self._text(element) for element in _children(array)]
        return any_of(None if text is None else self.equal(value.name, text) for text in literals)

    def _macro(self, node: Node, names: Names, depth: int) -> Unknown:
        macro = node.child_by_field_id(g.F_MACRO)
        tokens = next((child for child in node.named_children if child.kind_id == g.TOKEN_TREE), None)
        if macro is None or tokens is None:
            return None
        name = text_of(self.source, macro)
        inside = [child for child in tokens.children[1:-1] if child.kind_id not in g.COMMENTS]
        if name == "cfg":
            metas = metas_of_tokens(self.source, inside)
            return self.own_cfg(predicate_of(metas[0])) if len(metas) == 1 else None
        comma = next((index for index, child in enumerate(inside) if child.type == ","), 0)
        if name != "matches" or comma == 0:
            return None
        expressions = _children(parse_stretch(self.source, inside[0], inside[comma - 1]).root_node)
        expression = _unwrapped(expressions[0]) if len(expressions) == 1 else None
        if expression is None or expression.has_error:
            return None
        value = self.value(expression, names, depth + 1)
        return self._matching_tokens(inside[comma + 1 :], value)

    def _matching_tokens(self, tokens: Sequence[Node], value: Value) -> Unknown:
        """When `value` matches the pattern that these tokens spell; None with a guard, or where they spell none."""
        if not tokens:
            return None
        text = self.source[tokens[0].start_byte : tokens[-1].end_byte].rstrip(b", \n\t")
        probe = b"fn probe() { match x { " + text + b" => {} } }"
        stack = [parse(probe).root_node]
        while stack:
            node = stack.pop()
            if node.kind_id == g.MATCH_PATTERN:
                parts = _children(node)
                whole = len(parts) == 1 and not node.has_error
                return Reader(probe, self.features).matching(parts[0], value) if whole else None
            stack.extend(node.named_children)
        return None

    def own_cfg(self, predicate: Predicate, depth: int = 0) -> Unknown:
        """A predicate in the words of the script: features are the package's, everything else is about the host."""
        match predicate:
            case Literal():
                return predicate
            case Option(key, value) if key == "feature" and value is not None:
                return predicate if value in self.features else FALSE
            case Not(arg) if depth < DEPTH_CAP:
                return negation(self.own_cfg(arg, depth + 1))
            case All(args) if depth < DEPTH_CAP:
                return negation(any_of(negation(self.own_cfg(arg, depth + 1)) for arg in args))
            case Any(args) if depth < DEPTH_CAP:
                return any_of(self.own_cfg(arg, depth + 1) for arg in args)
            case Option() | Invalid() | MacroGate() | _:
                return None

    def present(self, name: str) -> Unknown:
        """When Cargo sets the variable `name`."""
        if name.startswith("CARGO_FEATURE_"):
            spelled = name.removeprefix("CARGO_FEATURE_")
            return any_of(Option("feature", own) for own in sorted(self.features) if _as_variable(own) == spelled)
        if name.startswith("CARGO_CFG_"):
            option = name.removeprefix("CARGO_CFG_")
            if option in _ALWAYS_SET:
                return TRUE
            return Option(option.lower()) if _FLAG.fullmatch(option) and not _LISTS.match(option) else None
        return None

    def equal(self, name: str, text: str) -> Unknown:
        """When the variable `name` has this text."""
        if name.startswith("CARGO_FEATURE_"):
            return self.present(name) if text == "1" else FALSE
        option = name.removeprefix("CARGO_CFG_")
        return Option(option.lower(), text) if option != name and option in _SINGLE_VALUED else None


def string_of(source: bytes, node: Node) -> str | None:
    """The text of a string literal, escapes undone; None if the node is none."""
    if node.kind_id not in (g.STRING_LITERAL, g.RAW_STRING_LITERAL):
        return None
    text = text_of(source, node)
    if node.kind_id == g.RAW_STRING_LITERAL:
        return text[text.find('"') + 1 : text.rfind('"')]
    return _ESCAPE.sub(_unescaped, text[text.find('"') + 1 : -1])


_ESCAPE = re.compile(r"\\(?:u\{([0-9A-Fa-f_]{1,8})\}|x([0-9A-Fa-f]{2})|(\n\s*)|(.))", re.DOTALL)
_SIMPLE = {"n": "\n", "r": "\r", "t": "\t", "0": "\0"}


def _unescaped(escape: re.Match[str]) -> str:
    if escape[1] or escape[2]:
        code = int((escape[1] or escape[2]).replace("_", "") or "0", 16)
        return chr(code) if code < 0x110000 else ""
    return "" if escape[3] else _SIMPLE.get(escape[4], escape[4])


def _as_variable(feature: str) -> str:
    """A feature's name as Cargo spells it in the environment."""
    return feature.upper().replace("-", "_")


def _truth(predicate: Unknown) -> Value:
    return None if predicate is None else Truth(predicate)


def _children(node: Node) -> list[Node]:
    return [child for child in node.named_children if child.kind_id not in g.COMMENTS]


def _unwrapped(node: Node) -> Node:
    return node.named_children[0] if node.kind_id == g.EXPRESSION_STATEMENT and node.named_children else node


def _is_catch_all(pattern: Node) -> bool:
    return pattern.type == "_" or pattern.kind_id == g.IDENTIFIER
