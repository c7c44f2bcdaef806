"""Which names mean something else after an edit: so that only what mentions them is looked at again.

A name counts as touched when what declares it stands under other gates than before, or is new, or is gone. Where that
cannot be told by names (a glob of a module that is not known, the crate's own attributes) everything is touched; by a
`compile_error!` everything in its own package. Other crates see only what is public and not a matter of `cfg(test)`.
"""

from __future__ import annotations

import enum
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from typing import NamedTuple

from cfglint.condition.predicate import All, Any, Not, Option, Predicate
from cfglint.items import model as m
from cfglint.nameres.crate import Crate
from cfglint.nameres.def_map import NEVER
from cfglint.nameres.imports import glob_target
from cfglint.nameres.model import DefKind, EntryKind

_TEST = Option("test")


class Touched(NamedTuple):
    """Names that the crates with the edited file, and names that others, have to be asked about; None for all."""

    inward: frozenset[str] | None
    outward: frozenset[str] | None

    def joined(self, other: Touched) -> Touched:
        """What either touches."""
        return Touched(_union(self.inward, other.inward), _union(self.outward, other.outward))


NOTHING = Touched(frozenset(), frozenset())
EVERYTHING = Touched(None, None)


class Reach(enum.Enum):
    """How far a declaration can be seen: in its module, in other modules, in other crates."""

    MODULE = 0
    CRATE = 1
    WORLD = 2


class _Declared(NamedTuple):
    """One declaration: its kind (item, module or glob), name, gates, and who may see it.

    `outer` is the name that other crates have to write for it: of a member, that of its type.
    """

    kind: str
    name: str
    gates: tuple[Predicate, ...]
    reach: Reach
    outer: str = ""

    @property
    def seen_as(self) -> str:
        """The name to look for in other crates."""
        return self.outer or self.name


def touched_names(before: m.ItemTree, after: m.ItemTree, crates: Collection[Crate], file: str) -> Touched:
    """What the edit of one file touches. `crates` are those that mount the file, as they were before."""
    if before.crate != after.crate or _gaps(before) != _gaps(after):
        return EVERYTHING
    one, other = Counter(_declared(before)), Counter(_declared(after))
    found = _spread(set((one - other) + (other - one)), crates, file)
    # What a crate forbids is left out of its own package's configurations, and of those of no other.
    return found if _guards(before) == _guards(after) else Touched(None, found.outward)


def gated_names(features: Collection[str], crates: Collection[Crate]) -> Touched:
    """What stands under gates that speak of these features."""
    found = NOTHING
    for crate in crates:
        for data in crate.d.mounts:
            changed = {d for d in _declared(data.tree) if any(_mentions(gate, features) for gate in d.gates)}
            if changed:
                found = found.joined(_spread(changed, [crate], data.file))
    return found


def with_aliases(names: frozenset[str] | None, crates: Iterable[Crate]) -> frozenset[str] | None:
    """The names, and those under which imports hand them on."""
    if not names:
        return names
    known = set(names)
    imports = [i for c in crates for mount in c.d.mounts for i in mount.tree.imports if not i.is_glob]
    grown = True
    while grown:
        more = {i.name for i in imports if i.name not in known and not known.isdisjoint(i.path)}
        grown = bool(more)
        known |= more
    return frozenset(known)


def _spread(changed: set[_Declared], crates: Iterable[Crate], file: str) -> Touched:
    """The names of changed declarations and of what they hold or bring."""
    names = {each.name for each in changed if each.kind != "glob"}
    seen = [each for each in changed if each.reach is Reach.WORLD and not any(_needs_test(gate) for gate in each.gates)]
    outward = {each.seen_as for each in seen if each.kind != "glob"}
    modules = {each.name for each in changed if each.kind == "module"}
    globs = {each.name for each in changed if each.kind == "glob"}
    holding = [each for each in changed if each.kind in ("module", "glob")]
    leaves = any(not any(_needs_test(gate) for gate in each.gates) for each in holding)
    for crate in crates:
        for found in (_below(crate, file, modules), _through(crate, file, globs)):
            if found is None:
                return Touched(None, None if leaves else _plain(outward))
            names |= found
            outward |= found if leaves else set()
    return Touched(_plain(names), _plain(outward))


def _plain(names: set[str]) -> frozenset[str]:
    return frozenset(names - {"_", ""})


def _union(one: frozenset[str] | None, other: frozenset[str] | None) -> frozenset[str] | None:
    return None if one is None or other is None else one | other


def _needs_test(gate: Predicate) -> bool:
    return gate == _TEST or (isinstance(gate, All) and any(_needs_test(arg) for arg in gate.args))


def _mentions(gate: Predicate, features: Collection[str]) -> bool:
    match gate:
        case All(args) | Any(args):
            return any(_mentions(arg, features) for arg in args)
        case Not(arg):
            return _mentions(arg, features)
        case Option("feature", value):
            return value in features
        case _:
            return False


def _declared(tree: m.ItemTree) -> Iterator[_Declared]:
    def chain(gate: int) -> tuple[Predicate, ...]:
        found = []
        while gate > 0:
            found.append(tree.gates[gate].predicate)
            gate = tree.gates[gate].parent
        return tuple(found)

    for item in tree.items:
        reach = _reach(item.visibility)
        yield _Declared("module" if item.kind == "module" else "item", item.name, chain(item.gate), reach)
        for part in item.members:
            yield _Declared("item", part.name, chain(part.gate), reach, item.name)
    for declaration in tree.modules:
        gates = (*chain(declaration.gate), *(predicate for predicate, _ in declaration.paths))
        yield _Declared("module", declaration.name, gates, _reach(declaration.visibility))
    for imported in tree.imports:
        kind, name = ("glob", "::".join(imported.path)) if imported.is_glob else ("item", imported.name)
        yield _Declared(kind, name, chain(imported.gate), _reach(imported.visibility))
    for block in tree.impls:
        owner = block.type_path[-1] if block.type_path else ""
        for part in block.members:
            reach = Reach.WORLD if block.is_trait else _reach(part.visibility)
            yield _Declared("item", part.name, chain(part.gate), reach, owner)
        if not block.members:
            name = "::".join(block.trait_path or ()).rpartition("::")[2]
            yield _Declared("item", name, chain(block.gate), Reach.WORLD)
    for macro in tree.macros:
        reach = Reach.WORLD if macro.exported != NEVER else Reach.CRATE
        yield _Declared("item", macro.name, (*chain(macro.gate), macro.exported), reach)
    for call in tree.calls:
        # What is understood of an argument has been told above.
        if call.in_items and not call.parsed:
            for name in call.names:
                yield _Declared("item", name, chain(call.gate), Reach.WORLD)


def _reach(visibility: m.Visibility | None) -> Reach:
    if visibility is None:
        return Reach.MODULE
    return Reach.WORLD if visibility == m.PUBLIC else Reach.CRATE


def _guards(tree: m.ItemTree) -> list[tuple[str, ...]]:
    found = []
    for guard in tree.guards:
        gate, chain = guard.gate, []
        while gate > 0:
            chain.append(repr(tree.gates[gate].predicate))
            gate = tree.gates[gate].parent
        found.append(tuple(chain))
    return sorted(found)


def _gaps(tree: m.ItemTree) -> list[tuple[str, bool]]:
    return sorted((gap.reason, gap.scope >= 0) for gap in tree.gaps)


def _below(crate: Crate, file: str, modules: set[str]) -> set[str] | None:
    """What the modules of these names, declared in the file, hold; None where one hands on what a glob brings."""
    names: set[str] = set()
    for mount, data in enumerate(crate.d.mounts):
        if data.file != file:
            continue
        for index, declaration in enumerate(data.tree.modules):
            if declaration.name in modules:
                for _, module in crate.d.children.get((mount, EntryKind.MODULE_FILE, index), ()):
                    inside = _inside(crate, module)
                    if inside is None:
                        return None
                    names |= inside
    return names


def _inside(crate: Crate, module: int) -> set[str] | None:
    """The names that a module and those below it declare."""
    names: set[str] = set()
    mounts = {data.mount for at, data in enumerate(crate.d.modules) if crate.d.is_within(at, module)}
    for mount in mounts:
        tree = crate.d.mounts[mount].tree
        for each in _declared(tree):
            if each.kind == "glob":
                # What a private glob brings is seen within the module only, all of which is looked at.
                private = each.reach is Reach.MODULE
                brought = set() if private else _through(crate, crate.d.mounts[mount].file, {each.name})
                if brought is None:
                    return None
                names |= brought
            else:
                names.add(each.name)
    return names


def _through(crate: Crate, file: str, globs: set[str]) -> set[str] | None:
    """What globs of these paths in the file bring, as far as their modules declare it themselves."""
    names: set[str] = set()
    for data in crate.d.mounts:
        if data.file != file or not globs:
            continue
        for index, imported in enumerate(data.tree.imports):
            if not imported.is_glob or "::".join(imported.path) not in globs:
                continue
            for target, _, _ in glob_target(crate, data.first_scope + imported.scope, index).hits:
                owner = crate.program.crates[target.crate] if target.crate >= 0 else None
                if owner is None or target.kind not in (DefKind.MODULE, DefKind.ITEM):
                    return None
                if target.kind is DefKind.ITEM:
                    names |= {part.name for part in owner.d.mounts[target.at].tree.items[target.index].members}
                    continue
                scope = owner.d.scopes[owner.d.modules[target.at].scope]
                if scope.globs:
                    return None
                names |= set(scope.names) | set(scope.macros)
    return names
