"""Where the repository starts that a workspace lies in: annotations name files from there.

CI systems say so in the environment; elsewhere it is the nearest directory with a `.git`. No process is asked.
"""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path

_VARIABLES = ("GITHUB_WORKSPACE", "CI_PROJECT_DIR")


def repository_root(root: Path, environment: Mapping[str, str] | None = None) -> Path:
    """The top of the repository around `root`; `root` itself where there is none."""
    environment = os.environ if environment is None else environment
    root = root.absolute()
    around = (root, *root.parents)
    for name in _VARIABLES:
        told = environment.get(name)
        if told and Path(told).absolute() in around:
            return Path(told).absolute()
    return next((directory for directory in around if (directory / ".git").exists()), root)


def prefix_in_repository(root: Path, environment: Mapping[str, str] | None = None) -> str:
    """Where `root` lies in its repository: empty at the top, else with a slash at the end."""
    inside = root.absolute().relative_to(repository_root(root, environment)).as_posix()
    return "" if inside == "." else f"{inside}/"
