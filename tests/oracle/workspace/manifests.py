"""Members of a random workspace: their features, the edges between them, and the Cargo.toml of each.

Every way in which a manifest may ask for a feature of another member is drawn: tables of all kinds, renames, inheritance,
`default-features`, implicit and hidden features, `d/f`, `d?/f`. Feature names are few, so that members share them.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field

_SHAPES: tuple[tuple[int, tuple[tuple[int, int], ...]], ...] = (
    (2, ((0, 1),)),
    (3, ((0, 1), (1, 2), (0, 2))),
    (3, ((0, 1), (1, 2), (0, 2))),
    (3, ((0, 1), (1, 2))),
    (3, ((0, 2), (1, 2))),
    (3, ((0, 1), (0, 2))),
)
"""How many members, and who depends on whom: always on a later one."""
_NAMES = ("app", "net-io", "codec", "base_lib", "engine", "gfx-2d")
_FEATURES = ("a", "b", "c", "net", "x-y", "std")
_RENAMES = ("kit", "low-level", "dep1", "other")


@dataclass(frozen=True, slots=True)
class Edge:
    """One entry of a dependency table. `crate` is the name in code; `key` that in the manifest."""

    package: Member
    key: str
    crate: str
    kind: str = "dependencies"
    optional: bool = False
    default_features: bool = True
    features: tuple[str, ...] = ()
    target: str = ""
    inherited: bool = False


@dataclass(eq=False, slots=True)
class Member:
    """A package. `features` is its `[features]` table; `targets` are programs, tests and examples besides the library."""

    name: str
    edition: str
    library: str
    features: dict[str, list[str]] = field(default_factory=dict)
    edges: list[Edge] = field(default_factory=list)
    targets: list[Extra] = field(default_factory=list)

    @property
    def root(self) -> str:
        """Its directory within the workspace."""
        return self.name

    def table(self) -> dict[str, list[str]]:
        """Its features, those that optional dependencies make among them (Cargo book: Features)."""
        hidden = {value[4:] for values in self.features.values() for value in values if value.startswith("dep:")}
        implicit = {edge.key: [f"dep:{edge.key}"] for edge in self.edges if edge.optional and edge.key not in hidden}
        return {**implicit, **self.features}

    def closed(self) -> tuple[frozenset[str], ...]:
        """Every set of features that contains what its members imply, smallest first."""
        table = self.table()
        implied = {
            name: {head for value in values if not value.startswith("dep:") if (head := value.split("/")[0]) in table}
            for name, values in table.items()
        }
        found: list[frozenset[str]] = [frozenset()]
        for name in sorted(table):
            found += [chosen | {name} for chosen in found]
        kept = [chosen for chosen in found if all(implied[name] <= chosen for name in chosen)]
        return tuple(sorted(kept, key=lambda chosen: (len(chosen), sorted(chosen))))

    def speaking_of(self, key: str) -> list[str]:
        """The features that say something about the dependency `key`."""
        return [
            name
            for name, values in self.table().items()
            if name == key or any(value.removeprefix("dep:").split("/")[0].removesuffix("?") == key for value in values)
        ]


@dataclass(frozen=True, slots=True)
class Extra:
    """A program, test or example. `required` are its `required-features`."""

    kind: str
    name: str
    required: tuple[str, ...]

    @property
    def file(self) -> str:
        """Where it lies in the package."""
        return {"bin": "src/bin", "test": "tests", "example": "examples"}[self.kind] + f"/{self.name}.rs"


@dataclass(eq=False, slots=True)
class Workspace:
    """Members, those at the top first."""

    members: list[Member]
    resolver: str


def draw(rng: random.Random) -> Workspace:
    """Members with features and edges."""
    count, pairs = rng.choice(_SHAPES)
    names = rng.sample(_NAMES, count)
    editions = [rng.choice(("2018", "2021", "2021", "2024")) for _ in names]
    members = [
        Member(name, edition, rng.choice(("",) * 9 + (f"{name.replace('-', '_')}_lib",)))
        for name, edition in zip(names, editions, strict=True)
    ]
    workspace = Workspace(members, rng.choice(("1", "2", "2", "2", "3")))
    for number in reversed(range(count)):
        member = members[number]
        for other in [members[to] for of, to in pairs if of == number]:
            _edges(rng, workspace, member, other)
        _features(rng, member)
        for kind in ("bin", "test", "example"):
            if rng.random() < 0.22:
                required = (
                    tuple(rng.sample(sorted(member.table()), rng.choice((1, 1, 2)))) if rng.random() < 0.5 else ()
                )
                member.targets.append(Extra(kind, f"{kind}_{number}", required))
    return workspace


def _edges(rng: random.Random, workspace: Workspace, member: Member, other: Member) -> None:
    """One or more entries by which `member` depends on `other`."""
    key = other.name
    if rng.random() < 0.25:
        key = rng.choice([name for name in _RENAMES if all(edge.key != name for edge in member.edges)])
    crate = (key if key != other.name else other.library or key).replace("-", "_")
    inherited = rng.random() < 0.2 and not any(
        edge.key == key and edge.inherited for one in workspace.members for edge in one.edges
    )
    first = Edge(
        other,
        key,
        crate,
        optional=rng.random() < 0.45,
        default_features=rng.random() < 0.6,
        features=_some(rng, other, 0.35),
        inherited=inherited,
    )
    member.edges.append(first)
    if rng.random() < 0.2:
        target = rng.choice(
            ("cfg(unix)", "cfg(windows)", 'cfg(not(target_os = "windows"))', "x86_64-unknown-linux-gnu")
        )
        optional = first.optional and rng.random() < 0.7
        features = _some(rng, other, 0.8)
        member.edges.append(Edge(other, key, crate, "dependencies", optional, False, features, target))
    roll = rng.random()
    if roll < 0.3:
        asked = _some(rng, other, 0.8)
        member.edges.append(Edge(other, key, crate, "dev-dependencies", False, rng.random() < 0.3, asked))
    if roll < 0.06:
        member.edges.remove(first)


def _some(rng: random.Random, other: Member, chance: float) -> tuple[str, ...]:
    names = sorted(other.table())
    return tuple(rng.sample(names, min(len(names), rng.choice((1, 1, 2))))) if rng.random() < chance else ()


def _features(rng: random.Random, member: Member) -> None:
    """The feature table, once the edges are known."""
    names = rng.sample(_FEATURES, rng.choice((2, 2, 3)))
    table: dict[str, list[str]] = {}
    for index, name in enumerate(names):
        table[name] = [other for other in names[index + 1 :] if rng.random() < 0.2]
    by_key = {edge.key: edge for edge in member.edges}
    for key, edge in by_key.items():
        optional = any(one.optional for one in member.edges if one.key == key)
        hides = optional and rng.random() < 0.6
        if hides:
            table[rng.choice(names)].append(f"dep:{key}")
            if rng.random() < 0.2:
                table[key] = [f"dep:{key}"]
        for name in names:
            if rng.random() < 0.55:
                table[name] += _mention(rng, edge, key, optional=optional, hides=hides)
    if rng.random() < 0.4:
        table["default"] = rng.sample(names, rng.choice((1, 1, 2)))
    member.features = {name: list(dict.fromkeys(values)) for name, values in table.items()}


def _mention(rng: random.Random, edge: Edge, key: str, *, optional: bool, hides: bool) -> list[str]:
    asked = sorted(edge.package.table())
    ways = [f"{key}/{rng.choice(asked)}"] * 3 if asked else []
    if optional and asked:
        ways += [f"{key}?/{rng.choice(asked)}"] * 2
    if optional:
        ways += [f"dep:{key}" if hides else key] * 2
    return [rng.choice(ways)] if ways else []


def manifest(member: Member) -> str:
    """The text of its Cargo.toml."""
    lines = ["[package]", f'name = "{member.name}"', 'version = "0.1.0"', f'edition = "{member.edition}"', ""]
    if member.library:
        lines += ["[lib]", f'name = "{member.library}"', ""]
    for extra in member.targets:
        if extra.required:
            lines += [
                f"[[{extra.kind}]]",
                f'name = "{extra.name}"',
                f"required-features = {_array(extra.required)}",
                "",
            ]
    lines += ["[features]", *(f"{name} = {_array(values)}" for name, values in member.features.items())]
    tables: dict[str, list[str]] = {}
    for edge in member.edges:
        table = f"target.'{edge.target}'.{edge.kind}" if edge.target else edge.kind
        tables.setdefault(table, []).append(f"{edge.key} = {{ {', '.join(_entry(edge))} }}")
    for table, entries in tables.items():
        lines += ["", f"[{table}]", *entries]
    return "\n".join(lines) + "\n"


def _entry(edge: Edge) -> Iterator[str]:
    if edge.inherited:
        yield "workspace = true"
    else:
        yield from _source(edge, "../")
        if not edge.default_features:
            yield "default-features = false"
    if edge.optional:
        yield "optional = true"
    if edge.features:
        yield f"features = {_array(edge.features)}"


def _source(edge: Edge, up: str) -> Iterator[str]:
    yield f'path = "{up}{edge.package.root}"'
    if edge.key != edge.package.name:
        yield f'package = "{edge.package.name}"'


def workspace_manifest(workspace: Workspace) -> str:
    """The text of the root's Cargo.toml."""
    members = _array(tuple(member.root for member in workspace.members))
    lines = ["[workspace]", f"members = {members}", f'resolver = "{workspace.resolver}"']
    shared = {edge.key: edge for member in workspace.members for edge in member.edges if edge.inherited}
    if shared:
        lines += ["", "[workspace.dependencies]"]
    for key, edge in shared.items():
        off = [] if edge.default_features else ["default-features = false"]
        lines.append(f"{key} = {{ {', '.join([*_source(edge, ''), *off])} }}")
    return "\n".join(lines) + "\n"


def _array(words: tuple[str, ...] | list[str]) -> str:
    return "[" + ", ".join(f'"{word}"' for word in words) + "]"
