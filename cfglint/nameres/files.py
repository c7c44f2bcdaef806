"""Reading source files into ItemTrees, each once; many at a time in worker processes where that pays.

The only state is a table by path. A file that cannot be read has no tree, and a note says why.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field

from cfglint.items import model as m
from cfglint.items.collect import collect, collect_heads, decode, encode
from cfglint.nameres.def_map import wanted_files

POOL_FROM_BYTES = 400_000
"""Less source than this is parsed sooner than workers start."""


@dataclass(slots=True)
class Files:
    """ItemTrees by absolute path; `bytes_read` and `notes` are for the report."""

    trees: dict[str, m.ItemTree | None] = field(default_factory=dict)
    notes: list[str] = field(default_factory=list)
    bytes_read: int = 0
    sources: dict[str, bytes] = field(default_factory=dict)

    def source(self, path: str) -> bytes:
        """The bytes of a file that has been read before; empty when it is gone. Kept."""
        if path not in self.sources:
            self.sources[path] = self.load(path) or b""
        return self.sources[path]

    def read(self, path: str) -> m.ItemTree | None:
        """The ItemTree of a file; None when there is none."""
        if path not in self.trees:
            source = self.load(path)
            self.trees[path] = None if source is None else collect(source)
        return self.trees[path]

    def read_heads(self, path: str, most: int) -> m.ItemTree | None:
        """What others can name in a file of a dependency; None when there is none, or one of more than `most` bytes."""
        if path not in self.trees:
            try:
                source = self.load(path) if os.stat(path).st_size <= most else None
            except OSError:
                source = None
            self.trees[path] = None if source is None else collect_heads(source)
        return self.trees[path]

    def load(self, path: str) -> bytes | None:
        """The bytes of a regular file, None when it cannot be read."""
        try:
            if not os.path.isfile(path):
                return None
            with open(path, "rb") as file:
                source = file.read()
        except OSError as error:
            self.notes.append(f"{path}: cannot be read: {error.strerror}")
            return None
        self.bytes_read += len(source)
        return source


def rust_files(directory: str) -> Iterator[tuple[str, int]]:
    """The Rust files below a directory, in order, with their sizes; links are not followed."""
    for folder, folders, names in os.walk(directory):
        folders.sort()
        for name in sorted(names):
            if name.endswith(".rs") and (size := _size(os.path.join(folder, name))) >= 0:
                yield os.path.join(folder, name), size


def read_ahead(files: Files, roots: Iterable[str], jobs: int, progress: Callable[[str, int, int], None]) -> None:
    """Parse the files below these crate roots, wave by wave, in up to `jobs` processes."""
    wave = [(path, True) for path in dict.fromkeys(roots)]
    seen: set[tuple[str, bool]] = set(wave)
    pool: ProcessPoolExecutor | None = None
    try:
        while wave:
            sizes = {path: _size(path) for path, _ in wave if path not in files.trees}
            present = [path for path, size in sizes.items() if size >= 0]
            if pool is None and jobs > 1 and sum(sizes[path] for path in present) > POOL_FROM_BYTES:
                pool = ProcessPoolExecutor(jobs)
            if pool is not None and len(present) > 1:
                present.sort(key=lambda path: (-sizes[path], path))
                chunks = [present[at :: jobs * 4] for at in range(jobs * 4)]
                for done, batch in enumerate(pool.map(_collect_batch, [c for c in chunks if c])):
                    for path, size, data in batch:
                        files.trees[path] = None if data is None else decode(data)
                        files.bytes_read += size
                    progress("reading", done, len(chunks))
            following: list[tuple[str, bool]] = []
            for path, is_mod_rs in wave:
                tree = files.read(path) if path in files.trees or sizes.get(path, -1) >= 0 else None
                if tree is None:
                    continue
                for wanted in wanted_files(tree, path, is_mod_rs=is_mod_rs):
                    mod_rs = os.path.basename(wanted) == "mod.rs" or _is_explicit(tree, wanted)
                    if (wanted, mod_rs) not in seen and _size(wanted) >= 0:
                        seen.add((wanted, mod_rs))
                        following.append((wanted, mod_rs))
            wave = following
    finally:
        if pool is not None:
            pool.shutdown()


def _is_explicit(tree: m.ItemTree, wanted: str) -> bool:
    name = os.path.basename(wanted)
    return any(os.path.basename(path) == name for declaration in tree.modules for _, path in declaration.paths)


def _size(path: str) -> int:
    try:
        return os.stat(path).st_size if os.path.isfile(path) else -1
    except OSError:
        return -1


def _collect_batch(paths: list[str]) -> list[tuple[str, int, bytes | None]]:
    files = Files()
    result: list[tuple[str, int, bytes | None]] = []
    for path in paths:
        source = files.load(path)
        result.append((path, len(source or b""), None if source is None else encode(collect(source))))
    return result
