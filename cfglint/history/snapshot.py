"""The sources of a revision in a temporary folder, as far as an analysis reads them.

A file that is the same in the working tree is taken from there, so that few objects have to be unpacked; for such files
the caller may already know more (their item trees). Links within the repository are followed, others left out.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import posixpath
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from cfglint.history.revisions import Blob, Revision

_NO_SOURCES = frozenset(
    "avif bin bmp dll exe gif glb gltf gz hdr ico icns jpeg jpg ktx2 md mov mp3 mp4 mpk npz ogg onnx otf parquet pdf png "
    "safetensors so svg tar tiff ttf wasm wav webm webp woff woff2 xz zip zst".split()
)
"""Endings of what neither a module nor an `include!` is; anything else may be one."""
_MOST_BYTES = 64 * 1024 * 1024
_MOST_LINKS = 8


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A folder with the sources of a revision. `same` maps files in it to equal ones of the working tree."""

    folder: Path
    same: Mapping[str, str]


@contextlib.contextmanager
def snapshot(revision: Revision) -> Iterator[Snapshot]:
    """Lay out the sources of `revision`; they are gone when the context ends."""
    with tempfile.TemporaryDirectory(prefix="cfglint-", ignore_cleanup_errors=True) as folder:
        root = Path(os.path.realpath(folder))
        blobs = {blob.path: blob for blob in revision.blobs() if _is_read(blob.path)}
        same: dict[str, str] = {}
        for path, blob in blobs.items():
            source = _resolved(blob, blobs, revision)
            if source is None:
                continue
            here = revision.top / path
            content = _if_equal(here, source)
            if content is not None:
                same[str(root / path)] = str(here)
            else:
                content = revision.content(source)
            if len(content) <= _MOST_BYTES:
                _write(root / path, content)
        yield Snapshot(root, same)


def _is_read(path: str) -> bool:
    return path.rpartition(".")[2].lower() not in _NO_SOURCES


def _resolved(blob: Blob, blobs: Mapping[str, Blob], revision: Revision) -> Blob | None:
    """The file that a link leads to; None where it leads nowhere in the repository."""
    for _ in range(_MOST_LINKS):
        if not blob.is_link:
            return blob
        target = os.fsdecode(revision.content(blob))
        path = posixpath.normpath(posixpath.join(posixpath.dirname(blob.path), target))
        if posixpath.isabs(target) or path not in blobs:
            return None
        blob = blobs[path]
    return None


def _if_equal(file: Path, blob: Blob) -> bytes | None:
    """The bytes of a file of the working tree if they are those of the blob (git's object id is their hash)."""
    try:
        if not file.is_file():
            return None
        content = file.read_bytes()
    except (OSError, ValueError):
        return None
    head = b"blob %d\0" % len(content)
    digest = hashlib.sha1(head + content, usedforsecurity=False).hexdigest()  # what git names objects by
    return content if digest.encode() == blob.object_id else None


def _write(file: Path, content: bytes) -> None:
    """Write one file; one whose name the file system refuses is left out, as a checkout would do."""
    with contextlib.suppress(OSError, ValueError):
        file.parent.mkdir(parents=True, exist_ok=True)
        with file.open("xb") as stream:
            stream.write(content)
