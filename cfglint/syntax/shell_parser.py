"""From a shell script to the tree of `shell`.

The grammar is bash's, which takes POSIX sh along; what is no shell (PowerShell, cmd) comes out as commands that nobody
knows, or as gaps.

What this deliberately does not do: arithmetic, globs, and tests (`[[ .. ]]` is a command like any other).
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterable, Iterator
from typing import TypeAlias

import tree_sitter
import tree_sitter_bash

from cfglint.syntax.shell import (
    Assignment,
    Block,
    Case,
    Chain,
    Command,
    For,
    Function,
    If,
    Negated,
    Node,
    Part,
    Pipeline,
    Redirect,
    Script,
    Substitution,
    Text,
    Unknown,
    Variable,
    While,
    Word,
)

_DEPTH_CAP = 200
"""Nodes within nodes beyond which a script is not looked into further."""


def parse_script(source: str) -> Script:
    """The tree of a script. Never raises; offsets are in UTF-8 bytes."""
    data = source.encode("utf-8", "surrogatepass")
    reader = _Reader(data)
    root = _parser().parse(data).root_node
    body = reader.block(root, 0)
    return Script(body, sorted(reader.gaps))


@functools.cache
def _parser() -> tree_sitter.Parser:
    return tree_sitter.Parser(tree_sitter.Language(tree_sitter_bash.language()))


_Tree: TypeAlias = tree_sitter.Node


class _Reader:
    """Turns grammar nodes into the tree; remembers what it could not read."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.gaps: set[int] = set()
        self.spilled: list[Command] = []

    def text(self, node: _Tree) -> str:
        return self.data[node.start_byte : node.end_byte].decode("utf-8", "replace")

    # Statements

    def block(self, node: _Tree, depth: int, *, subshell: bool = False) -> Block:
        return Block(
            tuple(self.statements(node.named_children, depth)), node.start_byte, node.end_byte, is_subshell=subshell
        )

    def statements(self, nodes: Iterable[_Tree], depth: int) -> Iterator[Node]:
        for node in nodes:
            yield from self.statement(node, depth + 1)
            yield from self.spilled
            self.spilled.clear()

    def statement(self, node: _Tree, depth: int) -> Iterator[Node]:
        if depth > _DEPTH_CAP:
            self.gaps.add(node.start_byte)
            return
        handler = _STATEMENTS.get(node.type)
        if handler is not None:
            yield handler(self, node, depth)
        elif node.type == "ERROR":
            self.gaps.add(node.start_byte)
            yield from self.statements(node.named_children, depth)
        elif node.type in ("program", "do_group", "list_item"):
            yield from self.statements(node.named_children, depth)
        elif node.type not in _SILENT:
            self.gaps.add(node.start_byte)

    def one(self, node: _Tree | None, depth: int, start: int) -> Node:
        found = tuple(self.statement(node, depth + 1)) if node is not None else ()
        return found[0] if len(found) == 1 else Block(found, start, start)

    def command(self, node: _Tree, depth: int) -> Node:
        first, *others = self.lines(node)
        command = self.simple(first, depth)
        self.spilled += [self.simple(each, depth) for each in others]
        return command

    def lines(self, node: _Tree) -> list[list[_Tree]]:
        """The children of a command, line by line: behind `2>&1 | a | b` the grammar passes over the end of a line."""
        found: list[list[_Tree]] = [[]]
        for child in node.named_children:
            if found[-1]:
                between = self.data[found[-1][-1].end_byte : child.start_byte]
                if b"\n" in between.replace(b"\\\n", b""):
                    found.append([])
            found[-1].append(child)
        return found

    def simple(self, children: list[_Tree], depth: int) -> Command:
        assignments: list[Assignment] = []
        words: list[Word] = []
        redirects: list[Redirect] = []
        for child in children:
            if child.type == "variable_assignment" and not words:
                assignments.append(self.assignment(child, depth))
            elif child.type == "command_name":
                words.append(self.word(child.named_children[0] if child.named_children else child, depth))
            elif child.type in ("file_redirect", "herestring_redirect"):
                redirects.append(self.redirect(child, depth))
            elif child.type not in _SILENT:
                words.append(self.word(child, depth))
        start, end = (children[0].start_byte, children[-1].end_byte) if children else (0, 0)
        return Command(tuple(assignments), tuple(words), tuple(redirects), start, end)

    def assignment(self, node: _Tree, depth: int) -> Assignment:
        name = node.child_by_field_name("name")
        value = node.child_by_field_name("value")
        is_array = value is not None and value.type == "array"
        values: list[Word] = []
        if value is not None:
            parts = value.named_children if is_array else [value]
            values = [self.word(part, depth) for part in parts if part.type not in _SILENT]
        appends = any(child.type == "+=" for child in node.children)
        return Assignment(
            self.text(name) if name is not None else "", tuple(values), is_array, appends, node.start_byte
        )

    def bare_assignment(self, node: _Tree, depth: int) -> Node:
        own = [node] if node.type == "variable_assignment" else node.named_children
        found = tuple(self.assignment(child, depth) for child in own if child.type == "variable_assignment")
        return Command(found, (), (), node.start_byte, node.end_byte)

    def declaration(self, node: _Tree, depth: int) -> Node:
        found = [self.assignment(child, depth) for child in node.named_children if child.type == "variable_assignment"]
        return Command(tuple(found), (), (), node.start_byte, node.end_byte)

    def redirect(self, node: _Tree, depth: int) -> Redirect:
        descriptor = node.child_by_field_name("descriptor")
        target = node.child_by_field_name("destination")
        if node.type == "herestring_redirect":
            target = node.named_children[-1] if node.named_children else None
        operator = next((child.type for child in node.children if not child.is_named), "")
        return Redirect(
            self.text(descriptor) if descriptor is not None else "",
            operator,
            self.word(target, depth) if target is not None else None,
        )

    def redirected(self, node: _Tree, depth: int) -> Node:
        body = self.one(node.child_by_field_name("body"), depth, node.start_byte)
        redirects = tuple(
            self.redirect(child, depth)
            for child in node.named_children
            if child.type in ("file_redirect", "herestring_redirect")
        )
        # A pipe behind a here-document is a child of the document.
        behind = [
            found
            for child in node.named_children
            if child.type == "heredoc_redirect"
            for inner in child.named_children
            if inner.type in ("pipeline", "list", "command")
            for found in self.statement(inner, depth + 1)
        ]
        if self.spilled:
            last = self.spilled[-1]
            self.spilled[-1] = Command(last.assignments, last.words, last.redirects + redirects, last.start, last.end)
        else:
            body = _with_redirects(body, redirects)
        return _hoisted((body, *behind), node.start_byte, node.end_byte) if behind else body

    def pipeline(self, node: _Tree, depth: int) -> Node:
        parts = tuple(part for child in node.named_children for part in self.statement(child, depth + 1))
        return _hoisted(parts, node.start_byte, node.end_byte)

    def chain(self, node: _Tree, depth: int) -> Node:
        inner = node.named_children
        operator = next((child.type for child in node.children if child.type in ("&&", "||")), "&&")
        if len(inner) < 2:
            return self.block(node, depth)
        left = self.one(inner[0], depth, node.start_byte)
        right = self.one(inner[-1], depth, node.start_byte)
        return Chain(left, operator, right, node.start_byte, node.end_byte)

    def negated(self, node: _Tree, depth: int) -> Node:
        inner = node.named_children[0] if node.named_children else None
        return Negated(self.one(inner, depth, node.start_byte), node.start_byte, node.end_byte)

    def subshell(self, node: _Tree, depth: int) -> Node:
        return self.block(node, depth, subshell=True)

    def for_loop(self, node: _Tree, depth: int) -> Node:
        name, body = node.child_by_field_name("variable"), node.child_by_field_name("body")
        values = tuple(self.word(value, depth) for value in node.children_by_field_name("value"))
        block = self.block(body, depth) if body is not None else Block((), node.start_byte, node.start_byte)
        return For(self.text(name) if name is not None else "", values, block, node.start_byte, node.end_byte)

    def while_loop(self, node: _Tree, depth: int) -> Node:
        body = node.child_by_field_name("body")
        conditions = [child for child in node.children_by_field_name("condition") if child.is_named]
        return While(
            Block(tuple(self.statements(conditions, depth)), node.start_byte, node.start_byte),
            self.block(body, depth) if body is not None else Block((), node.start_byte, node.start_byte),
            node.start_byte,
            node.end_byte,
        )

    def conditional(self, node: _Tree, depth: int) -> Node:
        branches = [self._branch(node, depth)]
        otherwise: Block | None = None
        for child in node.named_children:
            if child.type == "elif_clause":
                branches.append(self._branch(child, depth))
            elif child.type == "else_clause":
                otherwise = self.block(child, depth)
        return If(tuple(branches), otherwise, node.start_byte, node.end_byte)

    def _branch(self, node: _Tree, depth: int) -> tuple[Block, Block]:
        """The condition is what stands before `then`, for an `elif` has no fields."""
        conditions: list[_Tree] = []
        body: list[_Tree] = []
        seen_then = False
        for child in node.children:
            if child.type == "then":
                seen_then = True
            elif child.is_named and child.type not in ("elif_clause", "else_clause"):
                (body if seen_then else conditions).append(child)
        start = node.start_byte
        return (
            Block(tuple(self.statements(conditions, depth)), start, start),
            Block(tuple(self.statements(body, depth)), start, node.end_byte),
        )

    def case(self, node: _Tree, depth: int) -> Node:
        bodies = []
        for item in node.named_children:
            if item.type == "case_item":
                values = item.children_by_field_name("value")
                inner = [child for child in item.named_children if child not in values]
                bodies.append(Block(tuple(self.statements(inner, depth)), item.start_byte, item.end_byte))
        return Case(tuple(bodies), node.start_byte, node.end_byte)

    def function(self, node: _Tree, depth: int) -> Node:
        name = node.child_by_field_name("name")
        body = self.one(node.child_by_field_name("body"), depth, node.start_byte)
        return Function(self.text(name) if name is not None else "", body, node.start_byte, node.end_byte)

    def test(self, node: _Tree, depth: int) -> Node:
        del depth
        word = Word((Unknown(self.text(node)),), node.start_byte, node.end_byte)
        return Command((), (word,), (), node.start_byte, node.end_byte)

    # Words

    def word(self, node: _Tree, depth: int) -> Word:
        return Word(tuple(_joined(self.parts(node, depth, quoted=False))), node.start_byte, node.end_byte)

    def parts(self, node: _Tree, depth: int, *, quoted: bool) -> Iterator[Part]:
        if depth > _DEPTH_CAP:
            yield Unknown(self.text(node))
            return
        match node.type:
            case "word" | "number" | "file_descriptor" | "variable_name" | "regex" | "extglob_pattern":
                yield Text(_unescaped(self.text(node)))
            case "raw_string":
                yield Text(self.text(node)[1:-1])
            case "ansi_c_string":
                yield Text(self.text(node)[2:-1])
            case "string" | "translated_string":
                yield from self._string(node, depth)
            case "concatenation":
                for child in node.children:
                    yield from self.parts(child, depth + 1, quoted=quoted)
            case "simple_expansion":
                yield Variable(self.text(node).lstrip()[1:], quoted)
            case "expansion":
                yield self._expansion(node, quoted=quoted)
            case "command_substitution":
                yield Substitution(self.block(node, depth + 1, subshell=True), quoted)
            case "brace_expression":
                yield Unknown(self.text(node))
            case _:
                text = self.text(node)
                yield Text(text) if not node.named_children and "$" not in text else Unknown(text)

    def _string(self, node: _Tree, depth: int) -> Iterator[Part]:
        at = node.start_byte + 1
        for child in node.named_children:
            if child.start_byte > at:  # blanks that the grammar passes over
                yield Text(_unescaped_in_quotes(self.data[at : child.start_byte].decode("utf-8", "replace")))
            if child.type == "string_content":
                yield Text(_unescaped_in_quotes(self.text(child)))
            else:
                text = self.text(child)  # with the blanks between it and an expansion before
                if text[:1].isspace():
                    yield Text(text[: -len(text.lstrip())])
                yield from self.parts(child, depth + 1, quoted=True)
            at = child.end_byte
        if node.end_byte - 1 > at:
            yield Text(_unescaped_in_quotes(self.data[at : node.end_byte - 1].decode("utf-8", "replace")))

    def _expansion(self, node: _Tree, *, quoted: bool) -> Part:
        name = next((c for c in node.named_children if c.type in ("variable_name", "subscript")), None)
        if name is None:
            special = next((c for c in node.named_children if c.type == "special_variable_name"), None)
            return Variable(self.text(special), quoted) if special is not None else Unknown(self.text(node))
        rest = self.data[name.end_byte : node.end_byte - 1].decode("utf-8", "replace")
        text = self.text(name)
        if self.data[node.start_byte : name.start_byte].lstrip() != b"${" or (
            rest and not rest.startswith((":-", "-", ":+", "+"))
        ):
            return Unknown(self.text(node)) if rest[:2] not in (":?", "?") else Variable(text, quoted)
        operator = rest[:2] if rest.startswith(":") else rest[:1]
        return Variable(text, quoted, operator, rest[len(operator) :])


_SILENT = frozenset({"comment", "heredoc_body", "heredoc_redirect", "heredoc_start", "heredoc_end", "file_descriptor"})

_STATEMENTS: dict[str, Callable[[_Reader, _Tree, int], Node]] = {
    "command": _Reader.command,
    "variable_assignment": _Reader.bare_assignment,
    "variable_assignments": _Reader.bare_assignment,
    "declaration_command": _Reader.declaration,
    "redirected_statement": _Reader.redirected,
    "pipeline": _Reader.pipeline,
    "list": _Reader.chain,
    "negated_command": _Reader.negated,
    "subshell": _Reader.subshell,
    "compound_statement": lambda reader, node, depth: reader.block(node, depth),
    "for_statement": _Reader.for_loop,
    "while_statement": _Reader.while_loop,
    "if_statement": _Reader.conditional,
    "case_statement": _Reader.case,
    "function_definition": _Reader.function,
    "test_command": _Reader.test,
    "unset_command": _Reader.test,
    "c_style_for_statement": lambda reader, node, depth: While(
        Block((), node.start_byte, node.start_byte),
        reader.block(node.child_by_field_name("body") or node, depth),
        node.start_byte,
        node.end_byte,
    ),
}


def _hoisted(parts: tuple[Node, ...], start: int, end: int) -> Node:
    """A pipeline, with a list that the grammar has put behind its last `|` around the whole of it."""
    last = parts[-1] if parts else None
    if isinstance(last, Chain):
        return Chain(_hoisted((*parts[:-1], last.left), start, end), last.operator, last.right, start, end)
    flat: list[Node] = []
    for part in parts:
        flat.extend(part.parts if isinstance(part, Pipeline) else (part,))
    return Pipeline(tuple(flat), start, end)


def _with_redirects(node: Node, redirects: tuple[Redirect, ...]) -> Node:
    """A command that also has these redirects; with a pipeline they belong to its last part."""
    if not redirects:
        return node
    match node:
        case Command(assignments, words, own, start, end):
            return Command(assignments, words, own + redirects, start, end)
        case Pipeline(parts, start, end) if parts:
            return Pipeline((*parts[:-1], _with_redirects(parts[-1], redirects)), start, end)
        case Chain(left, operator, right, start, end):
            return Chain(left, operator, _with_redirects(right, redirects), start, end)
        case Block(items, start, end, is_subshell, own):
            return Block(items, start, end, is_subshell, own + redirects)
        case _:
            return Block((node,), node.start, node.end, redirects=redirects)


def _joined(parts: Iterable[Part]) -> list[Part]:
    """The parts with neighbouring texts made one."""
    found: list[Part] = []
    for part in parts:
        if isinstance(part, Text) and found and isinstance(found[-1], Text):
            found[-1] = Text(found[-1].text + part.text)
        else:
            found.append(part)
    return found


def _unescaped(text: str) -> str:
    if "\\" not in text:
        return text
    kept: list[str] = []
    position = 0
    while position < len(text):
        if text[position] == "\\" and position + 1 < len(text):
            position += 1
            if text[position] != "\n":
                kept.append(text[position])
        else:
            kept.append(text[position])
        position += 1
    return "".join(kept)


def _unescaped_in_quotes(text: str) -> str:
    for escaped, plain in (("\\\n", ""), ('\\"', '"'), ("\\$", "$"), ("\\`", "`"), ("\\\\", "\\")):
        text = text.replace(escaped, plain)
    return text
