"""One build: which features every package in it has, as conditions in the words of the package that is built (the root).

A build unifies the features of a package over every edge that leads to it. `dependency_features` follows these edges from
the root, whose own features stay free, and gives each package that can be reached the least conditions that satisfy all
tables: what is off in the root stays off below it unless something turns it on. `live_conditions` says when a dependency
entry counts, `side_of` to which side of the build it leads.

What this deliberately does not do: read sources or start cargo; judge whether Cargo.lock has a solution; follow a package
that is not on disk (its presence becomes the `doubt` of those that it might lead to). It follows `d/f` where `d` is only
a dev-dependency of a member that some other member needs too; Cargo's first resolution, that of versions, may not.

Source: Cargo book, Features and Feature resolver version 2; Cargo's feature resolver, of which this is the symbolic form.
"""

from __future__ import annotations

import enum
import functools
import heapq
import itertools
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import TypeAlias

from cfglint.condition.atom import Atom, feature, opaque
from cfglint.condition.diagram import FALSE, TRUE, Condition, disjunction, literal
from cfglint.manifest.dependency import Dependency, DependencyKind
from cfglint.manifest.feature_model import Activation, FeatureModel
from cfglint.manifest.package import Package
from cfglint.manifest.platform import HOST, table
from cfglint.manifest.target_predicate import target_condition

_UPDATE_CAP = 200
"""How often one condition may grow before it becomes opaque; only diagrams that are too large come near."""


class Side(enum.Enum):
    """For which machine a package is compiled. With resolver 1 there is one set of features for both: `TARGET`."""

    TARGET = "target"
    HOST = "host"


@dataclass(frozen=True, slots=True, eq=False)
class Setting:
    """What all worlds of a workspace share.

    `package` finds the package that a dependency of a package means, the same object each time, None if it is not on
    disk; `model` gives the feature model of a package; `below` the names of all packages that a missing dependency may
    bring along, None if they are not known. `members` are those of the workspace. `host` is the triple on which build
    scripts and procedural macros run; None keeps the target options of that side as they are, which is right where the
    root is itself a build script and its words are about the host anyway.
    """

    package: Callable[[Package, Dependency], Package | None]
    model: Callable[[Package], FeatureModel]
    resolver: str
    members: tuple[Package, ...]
    below: Callable[[Package, Dependency], Collection[str] | None] = lambda _owner, _dependency: None
    host: str | None = HOST


def _never() -> Condition:
    return FALSE


@dataclass(frozen=True, slots=True, eq=False)
class FeatureFormulas:
    """One package on one side of a build, in the words of the root.

    `features` says when it has which feature, those that are never on left out. Target options of a package on the
    host's side are decided by `host` if that is given. What is seldom asked for is worked out then.
    """

    features: Mapping[str, Condition]
    host: str | None = None
    presence: Callable[[], Condition] = _never
    doubts: Callable[[], Condition] = _never

    @property
    def present(self) -> Condition:
        """When the package is compiled."""
        return self.presence()

    @property
    def doubt(self) -> Condition:
        """Under which condition a package that could not be read may turn on more."""
        return self.doubts()

    def feature(self, name: str) -> Condition:
        """When the package has the feature `name`."""
        return self.features.get(name, FALSE)


ABSENT = FeatureFormulas({})


@dataclass(frozen=True, slots=True, eq=False)
class Formulas:
    """The features of every package in the build of `root`, the root among them (its own, and what others force on).

    Compared by identity. Packages that are not in the build have no entry.
    """

    root: Package
    setting: Setting
    packages: Mapping[tuple[Package, Side], FeatureFormulas]
    roots: tuple[Package, ...]
    dev: Condition

    def of(self, package: Package, side: Side = Side.TARGET) -> FeatureFormulas:
        """The formulas of `package`; all false if it is not there."""
        if self.setting.resolver == "1":
            side = Side.TARGET
        return self.packages.get((package, side), ABSENT)

    def along(self, owner: Package, dependency: Dependency, side: Side = Side.TARGET) -> tuple[Package, Side] | None:
        """The package that `dependency` means for an `owner` compiled on `side`, and its side; None if not on disk."""
        package = self.setting.package(owner, dependency)
        return None if package is None else (package, side_of(self.setting, side, dependency, package))


def dependency_features(
    root: Package, setting: Setting, *, others: Iterable[Package] = (), dev: Condition = FALSE
) -> Formulas:
    """The least fixpoint over all edges that lead on from `root`, and from `others` with their default features.

    `dev` is the condition under which dev-dependencies of these take part (with resolver 1 they always do, but are
    compiled only then).
    """
    roots = (root, *(package for package in others if package is not root))
    build = _run(root, roots, setting, dev)

    @functools.cache
    def presences() -> Mapping[tuple[Package, Side], Condition]:
        return _run(root, roots, setting, dev).presences()  # rather than to keep all of the build alive

    return build.result(root, roots, presences)


def _run(root: Package, roots: tuple[Package, ...], setting: Setting, dev: Condition) -> _Build:
    build = _Build(setting, frozenset(roots), dev)
    own = build.node(root, Side.TARGET)
    for name in own.model.names:
        own.features[name] = literal(feature(name))
    for index, package in enumerate(roots):
        starts = [build.node(package, Side.TARGET)]
        if setting.resolver != "1" and _is_proc_macro(package):
            starts.append(build.node(package, Side.HOST))
        build.starts.extend(starts)
        for start in starts:
            start.grow(None, TRUE)
            if index > 0:
                start.grow("default", TRUE)
            elif start is not own:
                for name in own.model.names:
                    start.grow(name, literal(feature(name)))
    for name in own.model.names:
        # A configuration of the root is closed, so its implications need no following; what hangs on the feature does.
        own.react(name, own.features[name])
    build.run()
    return build


@dataclass(slots=True, eq=False)
class _Edge:
    """A dependency entry: when it takes part if asked for, and when it is followed (so far)."""

    dependency: Dependency
    live: Condition
    child: _Node | None = None
    base: Condition = FALSE


_Change: TypeAlias = str | _Edge | None
"""What may grow: a feature (by name), an edge, or the presence of the package (None)."""


@dataclass(slots=True, eq=False)
class _Node:
    """A package on one side of the build, and what has to be told to others."""

    build: _Build
    package: Package
    side: Side
    model: FeatureModel
    index: int
    edges: Mapping[str, tuple[_Edge, ...]]
    mentions: Mapping[str, tuple[Activation, ...]]
    weak: Mapping[str, tuple[Activation, ...]]
    ranks: Mapping[str, int]
    present: Condition = FALSE
    features: dict[str, Condition] = field(default_factory=dict)
    waiting: dict[_Change, list[Condition]] = field(default_factory=dict)
    updates: dict[_Change, int] = field(default_factory=dict)

    def grow(self, what: _Change, delta: Condition) -> None:
        """Something holds under `delta` too; told later, together with all else that is said of it until then."""
        if delta is FALSE or (isinstance(what, str) and what not in self.model.implications):
            return
        waiting = self.waiting.get(what)
        if waiting is not None:
            waiting.append(delta)
            return
        self.waiting[what] = [delta]
        self.build.enqueue(self, len(self.ranks) if isinstance(what, _Edge) else self.ranks.get(what or "", -1), what)

    def settle(self, what: _Change) -> None:
        """Take in what waits for `what`, and pass on what is new."""
        delta = disjunction(self.waiting.pop(what))
        updates = self.updates[what] = self.updates.get(what, 0) + 1
        if updates > _UPDATE_CAP:
            return
        if updates == _UPDATE_CAP:
            delta = literal(opaque(f"why `{self.package.name}` has what it has #{len(self.updates)}"))
        if isinstance(what, str):
            old = self.features.get(what, FALSE)
            new = self.features[what] = old | delta
            if new is not old:
                for implied in self.model.implications[what]:
                    self.grow(implied, delta)
                self.react(what, delta)
        elif what is not None:
            old, what.base = what.base, what.base | delta
            if what.base is not old:
                self._follow(what, delta)
        else:
            old, self.present = self.present, self.present | delta
            if self.present is not old:
                for edge in itertools.chain.from_iterable(self.edges.values()):
                    if not edge.dependency.optional:
                        self.grow(edge, edge.live & delta)

    def react(self, name: str, delta: Condition) -> None:
        """What the feature `name` says about dependencies, now that it is also on under `delta`."""
        for mention in self.mentions.get(name, ()):
            for edge in self.edges.get(mention.key, ()):
                wanted = edge.live & delta
                if edge.dependency.optional and not mention.weak:
                    self.grow(edge, wanted)
                    if mention.requested is not None:
                        self.grow(mention.key, wanted)
                child = self._child(edge) if wanted is not FALSE and mention.requested is not None else None
                if child is not None:
                    child.grow(mention.requested, edge.base & delta if mention.weak else wanted)

    def _follow(self, edge: _Edge, delta: Condition) -> None:
        """The edge leads on under `delta` too."""
        child = self._child(edge)
        if child is None:
            return
        child.grow(None, delta)
        for name in requested(edge.dependency):
            child.grow(name, delta)
        for mention in self.weak.get(edge.dependency.key, ()):
            child.grow(mention.requested, self.features.get(mention.feature, FALSE) & delta)

    def _child(self, edge: _Edge) -> _Node | None:
        if edge.child is None:
            setting = self.build.setting
            package = setting.package(self.package, edge.dependency)
            if package is not None:
                edge.child = self.build.node(package, side_of(setting, self.side, edge.dependency, package))
        return edge.child


class _Build:
    """All nodes of one build, and the queue of conditions that have grown."""

    def __init__(self, setting: Setting, roots: frozenset[Package], dev: Condition) -> None:
        self.setting = setting
        self.roots = roots
        self.dev = dev
        self.nodes: dict[tuple[Package, Side], _Node] = {}
        self.by_index: list[_Node] = []
        self.queue: list[tuple[int, int, int, _Change]] = []
        self.serials = itertools.count()
        self.starts: list[_Node] = []

    def node(self, package: Package, side: Side) -> _Node:
        found = self.nodes.get((package, side))
        if found is None:
            model = self.setting.model(package)
            edges: dict[str, list[_Edge]] = {}
            for dependency in model.dependencies:
                live, _ = live_conditions(self.setting, self.roots, self.dev, package, side, dependency)
                if live is not FALSE:
                    edges.setdefault(dependency.key, []).append(_Edge(dependency, live))
            found = _Node(
                self,
                package,
                side,
                model,
                len(self.by_index),
                {key: tuple(entries) for key, entries in edges.items()},
                _grouped((activation.feature, activation) for activation in model.activations),
                _grouped((activation.key, activation) for activation in model.activations if activation.weak),
                _ranks(model),
            )
            self.nodes[package, side] = found
            self.by_index.append(found)
        return found

    def enqueue(self, node: _Node, rank: int, what: _Change) -> None:
        heapq.heappush(self.queue, (node.index, rank, next(self.serials), what))

    def run(self) -> None:
        while self.queue:
            index, _, _, what = heapq.heappop(self.queue)
            self.by_index[index].settle(what)

    def result(
        self,
        root: Package,
        roots: tuple[Package, ...],
        presences: Callable[[], Mapping[tuple[Package, Side], Condition]],
    ) -> Formulas:
        doubts = self._doubts()
        members = frozenset(self.setting.members) | self.roots

        def doubt(package: Package) -> Condition:
            return disjunction(
                condition
                for condition, names in doubts
                if (package.name in names if names is not None else package not in members)
            )

        def present(at: tuple[Package, Side]) -> Condition:
            return presences()[at]

        packages: dict[tuple[Package, Side], FeatureFormulas] = {}
        for node in self.by_index:
            at = node.package, node.side
            features = {name: node.features[name] for name in node.model.names if name in node.features}
            host = self.setting.host if node.side is Side.HOST else None
            packages[at] = FeatureFormulas(
                features, host, functools.partial(present, at), functools.cache(functools.partial(doubt, node.package))
            )
        return Formulas(root, self.setting, packages, roots, self.dev)

    def _doubts(self) -> list[tuple[Condition, Collection[str] | None]]:
        """For each dependency that could not be read: when it is there, and what it may lead to."""
        return [
            (edge.base, self.setting.below(node.package, edge.dependency))
            for node in self.by_index
            for edges in node.edges.values()
            for edge in edges
            if edge.child is None and edge.base is not FALSE
        ]

    def presences(self) -> Mapping[tuple[Package, Side], Condition]:
        """When each package is compiled, by its side for features."""
        return {(node.package, node.side): condition for node, condition in self._built().items()}

    def _built(self) -> dict[_Node, Condition]:
        """When each node is compiled: what is only resolved (other targets, dev-dependencies, scripts) is left out.

        The sides are those of compilation here, whatever they are for features.
        """
        found: dict[tuple[_Node, Side], Condition] = {}
        pending = [(node, node.side, TRUE) for node in self.starts]
        if (
            self.setting.resolver == "1"
        ):  # the library of a procedural macro; its other targets are on the target's side
            pending += [(node, Side.HOST, TRUE) for node in self.starts if _is_proc_macro(node.package)]
        rounds = _UPDATE_CAP * 2 * (len(self.by_index) + 1)
        while pending and rounds:
            rounds -= 1
            node, side, delta = pending.pop()
            old = found.get((node, side), FALSE)
            new = found[node, side] = old | delta
            if new is old:
                continue
            is_start = node in self.starts
            has_script = node.package.build_script is not None
            for edge in itertools.chain.from_iterable(node.edges.values()):
                kind = edge.dependency.kind
                is_built = is_start if kind is DependencyKind.DEV else kind is DependencyKind.NORMAL or has_script
                if edge.child is not None and is_built:
                    _, built = live_conditions(self.setting, self.roots, self.dev, node.package, side, edge.dependency)
                    next_side = _compiled_on(side, edge.child.package, edge.dependency)
                    pending.append((edge.child, next_side, new & edge.base & built))
        return {node: disjunction(found.get((node, side), FALSE) for side in Side) for node in self.by_index}


def requested(dependency: Dependency) -> tuple[str, ...]:
    """The features that the entry itself asks for, `default` among them."""
    return ("default", *dependency.features) if dependency.default_features else dependency.features


def live_conditions(
    setting: Setting,
    roots: Collection[Package],
    dev: Condition,
    owner: Package,
    side: Side,
    dependency: Dependency,
) -> tuple[Condition, Condition]:
    """When a dependency entry counts for features, and when it is compiled, wherever it is wanted at all."""
    is_dev = dependency.kind is DependencyKind.DEV
    if is_dev and owner not in roots:  # Cargo resolves dev-dependencies of what it was asked to build only.
        return FALSE, FALSE
    built = TRUE
    if dependency.target is not None:
        is_host = side is Side.HOST or dependency.kind is DependencyKind.BUILD
        built = _on(dependency.target, setting.host if is_host else None)
    live = TRUE if setting.resolver == "1" else built
    if is_dev:
        built &= dev
        live = live if setting.resolver == "1" else built
    return live, built


@functools.lru_cache(maxsize=4096)
def _on(target: str, host: str | None) -> Condition:
    """When a `[target]` table counts; on the machine `host` where that is given."""
    condition = target_condition(target)
    if host is None:
        return condition
    return condition.restrict({atom: value is TRUE for atom, value in on_host(condition.atoms(), host).items()})


def side_of(setting: Setting, side: Side, dependency: Dependency, package: Package) -> Side:
    """The side of `package` for features, reached by `dependency` from a package on `side`."""
    return Side.TARGET if setting.resolver == "1" else _compiled_on(side, package, dependency)


def _compiled_on(side: Side, package: Package, dependency: Dependency) -> Side:
    """The side that `package` is compiled for."""
    is_host = side is Side.HOST or dependency.kind is DependencyKind.BUILD or _is_proc_macro(package)
    return Side.HOST if is_host else Side.TARGET


def _is_proc_macro(package: Package) -> bool:
    return package.library is not None and package.library.proc_macro


def on_host(atoms: Iterable[Atom], host: str) -> dict[Atom, Condition]:
    """The values that target options have on the triple `host`."""
    targets = table()
    row = targets.rows((host,))
    found: dict[Atom, Condition] = {}
    for atom in atoms:
        mask = targets.mask(atom)
        if mask is None:
            mask = targets.feature_mask(atom)
            if not mask & row:
                continue
        found[atom] = TRUE if mask & row else FALSE
    return found


def _grouped(pairs: Iterable[tuple[str, Activation]]) -> Mapping[str, tuple[Activation, ...]]:
    found: dict[str, list[Activation]] = {}
    for key, activation in pairs:
        found.setdefault(key, []).append(activation)
    return {key: tuple(entries) for key, entries in found.items()}


def _ranks(model: FeatureModel) -> Mapping[str, int]:
    """An order of the features in which what implies comes before what is implied, as far as there are no cycles."""
    ranks: dict[str, int] = {}
    entered: set[str] = set()
    for start in model.names:
        stack = [(start, False)]
        while stack:
            name, is_done = stack.pop()
            if is_done:
                ranks[name] = -len(ranks)
            elif name not in entered:
                entered.add(name)
                stack.append((name, True))
                stack.extend((implied, False) for implied in model.implications[name] if implied not in entered)
    shift = len(ranks)
    return {name: rank + shift for name, rank in ranks.items()}
