"""Packages and workspaces from text, and the oracle that cargo is."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from pathlib import Path

import pytest
import tomli

from cfglint.manifest.document import Document
from cfglint.manifest.feature_model import FeatureModel, feature_model
from cfglint.manifest.package import Package, read_package

NOWHERE = Path("/nowhere/Cargo.toml")


def document(text: str, path: Path = NOWHERE) -> Document:
    return Document(path, text, tomli.loads(text), [])


def package(text: str, workspace: str | None = None) -> Package:
    """The package of a manifest without files, for what only reads the manifest."""
    root = None if workspace is None else document(workspace, Path("/Cargo.toml"))
    return read_package(document(text), root)


def model(text: str, resolver: str = "2") -> FeatureModel:
    return feature_model(package('[package]\nname = "p"\nedition = "2021"\n' + text), resolver)


def write(root: Path, files: Mapping[str, str]) -> Path:
    """Write `files` below `root`; returns it."""
    for name, text in files.items():
        path = root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")
    return root


def cargo() -> str:
    """The path of cargo; skips the test where there is none, unless CFGLINT_REQUIRE_CARGO=1 forbids that."""
    found = shutil.which("cargo")
    if found is not None:
        return found
    if os.environ.get("CFGLINT_REQUIRE_CARGO") == "1":
        pytest.fail("cargo is required and not installed")
    pytest.skip("cargo is not installed")
