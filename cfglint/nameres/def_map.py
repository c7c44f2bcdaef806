"""The DefMap: the module tree of one crate root, with every scope of every file that it mounts.

Nothing is dropped: a module that is configured out everywhere is still in the tree, under its condition. Names are
looked up in scope.py; here the tables are built, and files found.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

from cfglint.condition.predicate import Literal, Predicate
from cfglint.items import model as m
from cfglint.items.modules import Directory, candidates, directory_of_file, explicit, inside_inline
from cfglint.nameres.model import (
    CrateConfig,
    Declaration,
    Entry,
    EntryKind,
    Module,
    ModuleAlternative,
    Mount,
    ScopeData,
)

MAX_DEPTH = 64
MAX_MOUNTS = 50_000
NEVER = Literal(False)


_VALUE_KINDS = frozenset({"function", "constant", "static"})


Reader = Callable[[str], "m.ItemTree | None"]
"""The ItemTree of the file at a path, None when there is none."""


@dataclass(slots=True)
class DefMap:
    """One crate root.

    `children` says which modules a declaration (mount, entry) can mean; ask `modules_of`, for where `later` reads files
    they are only mounted then, `chains` being the files above each mount. `missing` lists `mod` declarations without a
    file: (mount, index, position of the `#[path]` alternative). `included` gives the scope that stands for what an
    `include!` (mount, call) brings.
    """

    crate: int
    config: CrateConfig
    mounts: list[Mount] = field(default_factory=list)
    modules: list[Module] = field(default_factory=list)
    scopes: list[ScopeData] = field(default_factory=list)
    children: dict[tuple[int, EntryKind, int], tuple[ModuleAlternative, ...]] = field(default_factory=dict)
    missing: list[tuple[int, int, int]] = field(default_factory=list)
    cyclic: list[tuple[int, int]] = field(default_factory=list)
    included: dict[tuple[int, int], int] = field(default_factory=dict)
    macro_names: set[str] = field(default_factory=set)
    exported: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    procedural: dict[str, list[tuple[int, int]]] = field(default_factory=dict)
    later: Reader | None = None
    chains: dict[int, tuple[str, ...]] = field(default_factory=dict)

    @property
    def root_scope(self) -> int:
        """The scope of the crate root."""
        return self.modules[0].scope

    def modules_of(self, mount: int, kind: EntryKind, index: int) -> tuple[ModuleAlternative, ...]:
        """The modules that a declaration can mean."""
        key = (mount, kind, index)
        if self.later is not None and kind is EntryKind.MODULE_FILE and key not in self.children:
            _mount_declared(self, mount, index, self.later, self.chains[mount])
        return self.children.get(key, ())

    def is_within(self, module: int, ancestor: int) -> bool:
        """Whether `module` is `ancestor` or below it."""
        while module > ancestor:
            module = self.modules[module].parent
        return module == ancestor

    def depth(self, module: int) -> int:
        """How many modules are above."""
        depth = 0
        while module > 0:
            module = self.modules[module].parent
            depth += 1
        return depth

    def path_of(self, module: int) -> str:
        """The module's path as rustc prints it, `crate::a::b`."""
        names: list[str] = []
        while module > 0:
            names.append(self.modules[module].name)
            module = self.modules[module].parent
        return "::".join(["crate", *reversed(names)])


def wanted_files(tree: m.ItemTree, file: str, *, is_mod_rs: bool) -> Iterator[str]:
    """Every file that a `mod` of this file may name, whether it exists or not. For reading ahead."""
    directories = _directories(tree, directory_of_file(file, is_mod_rs=is_mod_rs))
    for declaration in tree.modules:
        directory = _module_directory(tree, directories, declaration.scope)
        for _, path in declaration.paths:
            yield explicit(directory, path)
        if not any(predicate == Literal(True) for predicate, _ in declaration.paths):
            for path, _ in candidates(directory, declaration.name):
                yield path


def _directories(tree: m.ItemTree, root: Directory) -> dict[int, Directory]:
    found = {0: root}
    for index, scope in enumerate(tree.scopes):
        if scope.kind == m.ScopeKind.MODULE:
            item = tree.items[scope.owner] if 0 <= scope.owner < len(tree.items) else None
            above = _module_directory(tree, found, scope.parent)
            found[index] = inside_inline(above, scope.name, item.shape if item is not None else "")
    return found


def _module_directory(tree: m.ItemTree, directories: dict[int, Directory], scope: int) -> Directory:
    while scope not in directories:
        scope = tree.scopes[scope].parent
    return directories[scope]


def build(crate: int, config: CrateConfig, read: Reader, *, lazily: bool = False) -> DefMap:
    """Mount the crate root and everything below it. A root that cannot be read gives an empty map.

    Lazily, only the root and modules whose macros it uses are mounted; `modules_of` mounts others as they are asked for.
    """
    def_map = DefMap(crate, config, later=read if lazily else None)
    tree = read(config.root_file)
    if tree is not None:
        _mount(def_map, config.root_file, tree, None, "", is_mod_rs=True, read=read, ancestors=())
    return def_map


def _mount(
    d: DefMap,
    file: str,
    tree: m.ItemTree,
    declaration: Declaration | None,
    name: str,
    *,
    is_mod_rs: bool,
    read: Reader,
    ancestors: tuple[str, ...],
) -> int:
    """Add one file as a module; returns the module."""
    mount, first, module = len(d.mounts), len(d.scopes), len(d.modules)
    parent = -1
    if declaration is not None:
        above = d.mounts[declaration.mount]
        parent = d.scopes[above.first_scope + above.tree.modules[declaration.index].scope].module
    d.mounts.append(Mount(file, tree, module, first))
    d.modules.append(Module(parent, name, mount, first, directory_of_file(file, is_mod_rs=is_mod_rs), declaration))
    for index, scope in enumerate(tree.scopes):
        outer = first + scope.parent if scope.parent >= 0 else -1
        own = module if index == 0 else d.scopes[outer].module
        if scope.kind == m.ScopeKind.MODULE:
            item = tree.items[scope.owner]
            inner = inside_inline(d.modules[own].directory, scope.name, item.shape)
            here = Declaration(mount, EntryKind.ITEM, scope.owner, 0)
            d.modules.append(Module(own, scope.name, mount, first + index, inner, here))
            own = len(d.modules) - 1
            d.children[mount, EntryKind.ITEM, scope.owner] = (ModuleAlternative(0, own),)
        d.scopes.append(ScopeData(scope.kind, outer, own, mount, scope.gate, index))
    _fill(d, mount, tree, first)
    chain = (*ancestors, file)
    if d.later is not None:
        d.chains[mount] = chain
    for index, declared in enumerate(tree.modules):
        if d.later is None or declared.macro_use != NEVER:
            _mount_declared(d, mount, index, read, chain)
    _mount_included(d, mount, read, chain)
    return module


def _mount_included(d: DefMap, mount: int, read: Reader, chain: tuple[str, ...]) -> None:
    """Mount what `include!("..")` in module position brings: a scope within the module, whose names are the module's.

    Files that declare further modules are left unknown, like everything that is included elsewhere.
    Source: std, `include!`: the path is relative to the file of the call.
    """
    data = d.mounts[mount]
    for index, call in enumerate(data.tree.calls):
        if not call.file or data.tree.scopes[call.scope].kind not in (m.ScopeKind.FILE, m.ScopeKind.MODULE):
            continue
        path = os.path.normpath(os.path.join(os.path.dirname(data.file), call.file))
        if path in chain or len(chain) > MAX_DEPTH or len(d.mounts) > MAX_MOUNTS:
            continue
        tree = read(path)
        if tree is None or tree.modules or any(s.kind == m.ScopeKind.MODULE for s in tree.scopes):
            continue
        outer = data.first_scope + call.scope
        module, number, first = d.scopes[outer].module, len(d.mounts), len(d.scopes)
        d.mounts.append(Mount(path, tree, module, first, (mount, call.gate, call.start)))
        for at, scope in enumerate(tree.scopes):
            kind = m.ScopeKind.BLOCK if at == 0 else scope.kind
            d.scopes.append(ScopeData(kind, first + scope.parent if at else outer, module, number, scope.gate, at))
        _fill(d, number, tree, first)
        d.scopes[outer].included.append(index)
        d.included[mount, index] = first
        _mount_included(d, number, read, (*chain, path))


def _fill(d: DefMap, mount: int, tree: m.ItemTree, first: int) -> None:
    """Enter a file's declarations into its scopes."""
    macro_use = dict(tree.macro_use)
    for index, item in enumerate(tree.items):
        scope = d.scopes[first + item.scope]
        scope.names.setdefault(item.name, []).append(Entry(EntryKind.ITEM, index))
        if item.kind == "module" and (item.derives or item.inner in macro_use):
            scope.macro_use.append((item.start, EntryKind.ITEM, index))
    for index, declaration in enumerate(tree.modules):
        scope = d.scopes[first + declaration.scope]
        scope.names.setdefault(declaration.name, []).append(Entry(EntryKind.MODULE_FILE, index))
        if declaration.macro_use != NEVER:
            scope.macro_use.append((declaration.start, EntryKind.MODULE_FILE, index))
    for index, imported in enumerate(tree.imports):
        scope = d.scopes[first + imported.scope]
        if imported.is_glob:
            scope.globs.append(index)
        else:
            scope.names.setdefault(imported.name, []).append(Entry(EntryKind.IMPORT, index))
    for index, macro in enumerate(tree.macros):
        d.scopes[first + macro.scope].macros.setdefault(macro.name, []).append(index)
        d.macro_names.add(macro.name)
        if macro.exported != NEVER:
            d.exported.setdefault(macro.name, []).append((mount, index))
    for index, procedural in enumerate(tree.procedural):
        d.procedural.setdefault(procedural.name, []).append((mount, index))
    for index, call in enumerate(tree.calls):
        if call.in_items:
            d.scopes[first + call.scope].calls.append(index)
    for index, stem in enumerate(tree.stems):
        d.scopes[first + stem.scope].stems.append(index)
    for index, gap in enumerate(tree.gaps):
        if gap.scope >= 0:
            d.scopes[first + gap.scope].gaps.append(index)


def _mount_declared(d: DefMap, mount: int, index: int, read: Reader, chain: tuple[str, ...]) -> None:
    """Find and mount the file or files of one `mod name;`."""
    declaration = d.mounts[mount].tree.modules[index]
    parent = d.scopes[d.mounts[mount].first_scope + declaration.scope].module
    directory = d.modules[parent].directory
    found = [(explicit(directory, path), True) for _, path in declaration.paths]
    if not any(predicate == Literal(True) for predicate, _ in declaration.paths):
        plain = candidates(directory, declaration.name)
        found.append(next((c for c in plain if os.path.isfile(c[0])), plain[0]))
    alternatives: list[ModuleAlternative] = []
    for position, (path, is_mod_rs) in enumerate(found):
        if path in chain or len(chain) > MAX_DEPTH or len(d.mounts) > MAX_MOUNTS:
            d.cyclic.append((mount, index))
            continue
        tree = read(path)
        if tree is None:
            d.missing.append((mount, index, position))
            continue
        here = Declaration(mount, EntryKind.MODULE_FILE, index, position)
        module = _mount(d, path, tree, here, declaration.name, is_mod_rs=is_mod_rs, read=read, ancestors=chain)
        alternatives.append(ModuleAlternative(position, module))
    d.children[mount, EntryKind.MODULE_FILE, index] = tuple(alternatives)
    if declaration.macro_use == NEVER and any(own_macro_use(d, one.module) != NEVER for one in alternatives):
        scope = d.scopes[d.mounts[mount].first_scope + declaration.scope]
        scope.macro_use.append((declaration.start, EntryKind.MODULE_FILE, index))


def own_macro_use(d: DefMap, module: int) -> Predicate:
    """Where a module in a file of its own says `#![macro_use]`."""
    return dict(d.mounts[d.modules[module].mount].tree.macro_use).get(0, NEVER)


def namespaces(item: m.Item) -> tuple[bool, bool]:
    """Whether an item is in the type and in the value namespace (Reference, namespaces)."""
    if item.kind in _VALUE_KINDS:
        return False, True
    if item.kind == "struct" and item.shape in ("unit", "tuple"):
        return True, True
    return True, False
