"""What a rule of a `macro_rules!` writes for given metavariables: the tokens of one expansion.

Captured syntax stays one token (a fragment), as in rustc, except for `tt`, `ident` and `lifetime`, which are spliced.
Nothing is read out of them here.
Source: Reference, macros by example, "Transcribing".
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from cfglint.items.macro_definition import Part, Variable, variables_of
from cfglint.items.macro_tokens import DOC, OWN, Kind, Token, UncertainError
from cfglint.items.matching import Binding, Capture

MAX_TOKENS = 200_000
_SPLICED = frozenset({"tt", "ident", "lifetime"})


def transcribe(body: Sequence[Part], bindings: Mapping[str, Binding]) -> list[Token]:
    """The tokens of the expansion. Raises UncertainError on what rustc rejects and on what is not understood."""
    result: list[Token] = []
    _write(body, bindings, result)
    return result


def _write(parts: Sequence[Part], bindings: Mapping[str, Binding], result: list[Token]) -> None:
    if len(result) > MAX_TOKENS:
        raise UncertainError
    for part in parts:
        if isinstance(part, Token):
            result.append(part)
        elif isinstance(part, Variable):
            captured = bindings[part.name]
            if not isinstance(captured, Capture):
                raise UncertainError
            result.extend(_captured(captured))
        else:
            repeated = {
                name: bound for name in variables_of(part.parts) if not isinstance(bound := bindings[name], Capture)
            }
            counts = {len(bound) for bound in repeated.values()}
            if len(counts) != 1:
                raise UncertainError
            for turn in range(counts.pop()):
                if turn:
                    result.extend(part.separator)
                _write(part.parts, {**bindings, **{name: bound[turn] for name, bound in repeated.items()}}, result)


def _captured(capture: Capture) -> list[Token]:
    tokens = capture.tokens
    if capture.kind in _SPLICED:
        return [token if token.fragment not in ("", DOC) else token._replace(fragment=capture.kind) for token in tokens]
    if len(tokens) == 1 and tokens[0].kind is Kind.FRAGMENT and tokens[0].fragment == capture.kind:
        return [tokens[0]]
    index = tokens[0].order if tokens and all(token.from_call for token in tokens) else OWN
    start, end = (tokens[0].start, tokens[-1].end) if tokens else (0, 0)
    return [Token(Kind.FRAGMENT, "", start, end, joint=False, order=index, fragment=capture.kind, inner=tokens)]
