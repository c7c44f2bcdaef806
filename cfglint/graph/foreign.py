"""What a reference needs of another package: which of its features, what to write so that it gets them, and its own words.

Advice only: whether a reference fails has been decided before.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

from cfglint.condition.atom import Atom, AtomKind, feature
from cfglint.condition.diagram import FALSE, TRUE, Condition, literal
from cfglint.condition.display import shortest
from cfglint.manifest.configuration import Configuration
from cfglint.manifest.dependency import Dependency
from cfglint.manifest.document import line_of
from cfglint.manifest.package import Package
from cfglint.manifest.solver import GaveUpError, care_set, least
from cfglint.manifest.space import ConfigSpace, config_space
from cfglint.manifest.workspace import default_triples
from cfglint.nameres.analysis import Analysis, Root
from cfglint.nameres.crate import is_qualified
from cfglint.nameres.linking import Linker, owner_of
from cfglint.nameres.verdicts import Absence, Supplier

_MOST_WAYS = 200
"""Ways to make a condition true that are looked at for the shortest one."""


def owner_package(analysis: Analysis, root: Root, supplier: Supplier) -> Package | None:
    """The package that declares something, where it is another than the root's."""
    linked = analysis.linked
    package = None if linked is None else linked.owners.get(supplier.crate)
    return None if package is None or package is root.package else package


def is_far_off(analysis: Analysis, absence: Absence) -> bool:
    """Whether a package from outside lacks a feature only on targets that nobody names: there it need not work at all."""
    linked = analysis.linked
    if linked is None or not absence.is_foreign_platform:
        return False
    return any(linked.is_outside(owner_of(linked, atom)[0]) for atom in absence.raw.atoms() if is_qualified(atom))


def show_in(analysis: Analysis, package: Package, condition: Condition) -> str:
    """The shortest cfg text of a condition in the words of another package than the root's."""
    space = _space(analysis, package)
    places = {name: place for place, name in enumerate(space.model.names)}
    return shortest(
        condition,
        care=care_set(condition, space),
        order=lambda atom: places.get(atom.key, len(places)) if atom.kind is AtomKind.FEATURE else len(places),
    )


def advice(analysis: Analysis, root: Root, absence: Absence) -> tuple[str, ...]:
    """What to write into the manifest so that what the reference names is there where it is compiled."""
    linked = analysis.linked
    if linked is None:
        return ()
    file = analysis.display_path(str(root.package.manifest))
    compiling = next((name for name in root.model.names if absence.context.implies(literal(feature(name)))), None)
    found: dict[str, None] = {}
    for package, name in needed(linked, root, absence):
        way = next(_ways(linked, root, package, name), None)
        if way is None:
            found[f"have the feature `{name}` of `{package.name}` turned on by the package that leads there"] = None
            continue
        dependency, wanted = way
        brings = (
            "" if wanted == name and dependency.package == package.name else f", which brings `{package.name}/{name}`"
        )
        if compiling is None:
            line = line_of(root.package.document, *dependency.where) or 1
            found[f'add "{wanted}" to the features of `{dependency.key}` in {file}, line {line}{brings}'] = None
        else:
            found[f"let the feature `{compiling}` turn on `{dependency.key}/{wanted}` in {file}{brings}"] = None
    return tuple(found)


def needed(linked: Linker, root: Root, absence: Absence) -> tuple[tuple[Package, str], ...]:
    """The fewest features of other packages that the reference lacks in its least failing configuration.

    None where it is a feature that has to be off.
    """
    try:
        configuration = least(absence.failing, root.space)
    except GaveUpError:
        return ()
    if configuration is None:
        return ()
    rest = _left(root, absence.raw, configuration)
    best: list[str] | None = None
    for cube in islice(rest.cubes(), _MOST_WAYS) if rest not in (FALSE, TRUE) else ():
        if all(is_qualified(atom) for atom, _ in cube):
            wanted = sorted(atom.key for atom, holds in cube if holds)
            if wanted and (best is None or (len(wanted), wanted) < (len(best), best)):
                best = wanted
    return tuple(owner_of(linked, feature(key)) for key in best or ())


def _left(root: Root, raw: Condition, configuration: Configuration) -> Condition:
    """What is still to be fulfilled in a configuration: the features of other packages that are off there."""
    values: dict[Atom, bool] = {}
    for atom in raw.atoms():
        if is_qualified(atom):
            meaning = root.crate.meaning(atom)
            if meaning is not None and meaning.evaluate(configuration.holds):
                values[atom] = True
        elif atom.kind is not AtomKind.OPAQUE:
            values[atom] = configuration.holds(atom)
    return raw.restrict(values)


def _ways(linked: Linker, root: Root, package: Package, name: str) -> Iterator[tuple[Dependency, str]]:
    """Entries of the manifest by which a feature of `package` can be had, each with the feature to ask it for."""
    setting = linked.setting_of(package)
    edges = [(d, setting.package(root.package, d)) for d in root.package.dependencies]
    for dependency, found in edges:
        if found is package:
            yield dependency, name
    for dependency, found in edges:
        if found is None or found is package:
            continue
        for activation in setting.model(found).activations:
            inner = (d for d in found.dependencies if d.key == activation.key)
            if activation.requested is None or not any(setting.package(found, d) is package for d in inner):
                continue
            if name in setting.model(package).closure((activation.requested,)):
                yield dependency, activation.feature


def _space(analysis: Analysis, package: Package) -> ConfigSpace:
    known = analysis.foreign_spaces.get(package)
    if known is None:
        assert analysis.linked is not None, "asked by those who have looked"
        triples = analysis.config.targets or default_triples(analysis.workspace)
        known = config_space(analysis.linked.setting.model(package), triples=triples)
        analysis.foreign_spaces[package] = known
    return known
