"""What the manifests contribute to a derivation: which feature turns on which, and what enables a dependency.

Only entries that are written down are told, each with its line. What they add up to is the manifest room's business.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from cfglint.condition.atom import Atom, AtomKind
from cfglint.condition.diagram import Condition
from cfglint.graph.explanation import Fact, Spot
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.document import line_of
from cfglint.manifest.package import Package
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import QUALIFIER


def implications(analysis: Analysis, root: Root, atoms: Iterable[Atom]) -> list[Fact]:
    """The entries through which one of these features turns on another of them."""
    names = {atom.key for atom in atoms if atom.kind is AtomKind.FEATURE and QUALIFIER not in atom.key}
    wanted = [name for name in root.model.names if name in names]
    found: dict[tuple[str, str], Fact] = {}
    for name in wanted:
        for other in wanted:
            if name != other and other in root.model.closure((name,)):
                for source, target in _chain(root, name, other):
                    found.setdefault((source, target), _implies(analysis, root.package, source, target))
    return list(found.values())


def dependency_facts(analysis: Analysis, root: Root, key: str) -> list[Fact]:
    """What declares a dependency of the root's package and what enables it."""
    facts = [
        Fact(_declared(dependency), _spot(analysis, root.package, *dependency.where))
        for dependency in root.package.dependencies
        if dependency.key == key
    ]
    for activation in root.model.activations:
        if activation.key == key and not activation.weak:
            text = f"feature `{activation.feature}` turns on `{_entry(root.package, activation.feature, activation.entry)}`"
            where = _spot(analysis, root.package, "features", activation.feature, activation.entry)
            facts.append(Fact(text, where, when=f'feature = "{activation.feature}"'))
    return facts


def foreign_facts(analysis: Analysis, root: Root, own: Condition, crate: int) -> list[Fact]:
    """Who turns on the features of another crate that a gate there asks for, in the manifest of the root."""
    facts: dict[Fact, None] = {}
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    for atom in sorted(own.atoms()):
        if atom.kind is not AtomKind.FEATURE:
            continue
        number, mark, name = atom.key.rpartition(QUALIFIER)
        package = linked.owners[int(number) if mark else crate]
        if package is not root.package:
            facts.update(dict.fromkeys(_enabling(analysis, root, package, name)))
    return list(facts)


def feature_label(analysis: Analysis, atom: Atom, crate: int, root: Root) -> str:
    """A feature as `package/feature`, or its bare name where it is the root's own."""
    number, mark, name = atom.key.rpartition(QUALIFIER)
    linked = analysis.linked
    owner = linked.owners.get(int(number) if mark else crate) if linked is not None else None
    return name if owner is None or owner is root.package else f"{owner.name}/{name}"


def _enabling(analysis: Analysis, root: Root, package: Package, name: str) -> Iterator[Fact]:
    linked = analysis.linked
    assert linked is not None, "made by analyze"
    owner = root.package
    keys = {d.key for d in owner.dependencies if linked.setting.package(owner, d) is package}
    any_entry = False
    for activation in root.model.activations:
        if activation.key in keys and activation.requested == name:
            any_entry = True
            entry = _entry(owner, activation.feature, activation.entry)
            where = _spot(analysis, owner, "features", activation.feature, activation.entry)
            when = f'feature = "{activation.feature}"'
            yield Fact(f"feature `{activation.feature}` of `{owner.name}` turns on `{entry}`", where, when=when)
    for dependency in owner.dependencies:
        if dependency.key in keys and name in dependency.features:
            any_entry = True
            where = _spot(analysis, owner, *dependency.where)
            yield Fact(f"`{owner.name}` asks for the feature `{name}` of `{package.name}`", where)
    if not any_entry:
        model = linked.setting.model(package)
        by = [other for other in model.names if name in model.implications[other]]
        for other in by[:4]:
            yield _implies(analysis, package, other, name)
        if not by and keys:
            where = _spot(analysis, package, "features", name)
            yield Fact(
                f"nothing in the manifest of `{owner.name}` turns on the feature `{name}` of `{package.name}`", where
            )


def _chain(root: Root, source: str, target: str) -> list[tuple[str, str]]:
    """The shortest run of direct implications from one feature to another."""
    before: dict[str, str] = {}
    pending = [source]
    while pending and target not in before:
        following = []
        for name in pending:
            for other in root.model.implications.get(name, ()):
                if other not in before and other != source:
                    before[other] = name
                    following.append(other)
        pending = following
    steps: list[tuple[str, str]] = []
    at = target
    while at in before:
        steps.append((before[at], at))
        at = before[at]
    return steps[::-1]


def _implies(analysis: Analysis, package: Package, source: str, target: str) -> Fact:
    entries = package.features.get(source, ())
    index = next((n for n, entry in enumerate(entries) if entry.partition("/")[0].removesuffix("?") == target), None)
    where = _spot(analysis, package, "features", source, *(() if index is None else (index,)))
    return Fact(f"feature `{source}` turns on `{target}`", where, when=f'feature = "{source}"')


def _declared(dependency: Dependency) -> str:
    kind = {"normal": "dependency", "dev": "dev-dependency", "build": "build-dependency"}[dependency.kind.value]
    optional = "optional " if dependency.optional else ""
    target = f" of the targets `{dependency.target}`" if dependency.target else ""
    return f"`{dependency.key}` is declared as {'an' if optional else 'a'} {optional}{kind}{target}"


def _entry(package: Package, feature: str, index: int) -> str:
    entries = package.features.get(feature, ())
    return entries[index] if index < len(entries) else f"dep:{feature}"


def _spot(analysis: Analysis, package: Package, *keys: str | int) -> Spot:
    return Spot(analysis.display_path(str(package.manifest)), line_of(package.document, *keys) or 1)
