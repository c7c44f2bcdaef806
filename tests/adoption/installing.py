"""cfglint as others get it: a git repository of what the distribution is built from, installed by pip.

No network: pip finds build system and dependencies in the environment that runs the tests, which is put on the path of
the one that is made. That alone is different from what users do.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sysconfig
from collections.abc import Mapping, Sequence
from pathlib import Path

ROOT = Path(__file__).parents[2]
_PARTS = ("pyproject.toml", "README.md", "LICENSE-MIT", "LICENSE-APACHE", "cfglint", "rules", "docs/examples")
_PARTS_OF_OTHERS = (".pre-commit-hooks.yaml", "action.yml")
_GIT = {
    "GIT_AUTHOR_NAME": "somebody",
    "GIT_AUTHOR_EMAIL": "somebody@example.com",
    "GIT_COMMITTER_NAME": "somebody",
    "GIT_COMMITTER_EMAIL": "somebody@example.com",
    "GIT_AUTHOR_DATE": "2025-01-01T00:00:00Z",
    "GIT_COMMITTER_DATE": "2025-01-01T00:00:00Z",
    "GIT_CONFIG_NOSYSTEM": "1",
}


def environment(**more: str) -> dict[str, str]:
    """The variables of a clean machine, with pip kept from the network."""
    kept = {name: value for name, value in os.environ.items() if not _is_of_ci(name)}
    site = sysconfig.get_path("purelib")
    pip = {"PIP_NO_INDEX": "1", "PIP_NO_BUILD_ISOLATION": "0", "PIP_CONFIG_FILE": os.devnull, "PYTHONPATH": site}
    return kept | _GIT | pip | more


def run(
    command: Sequence[str | Path], folder: Path, variables: Mapping[str, str] | None = None
) -> subprocess.CompletedProcess[str]:
    """Run a command to its end, whatever its status."""
    return subprocess.run(
        [str(word) for word in command],
        cwd=folder,
        env=dict(variables or environment()),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=120,
        check=False,
    )


def repository(folder: Path) -> str:
    """Make `folder` a git repository with all that is in it; the commit."""
    for command in (["init", "--quiet", "--initial-branch=main"], ["add", "--all"], ["commit", "--quiet", "-m", "all"]):
        done = run(["git", *command], folder)
        assert done.returncode == 0, done.stderr
    return run(["git", "rev-parse", "HEAD"], folder).stdout.strip()


def clone_of_cfglint(folder: Path) -> str:
    """A repository of cfglint's own sources in `folder`; the commit."""
    for part in (*_PARTS, *_PARTS_OF_OTHERS):
        source, target = ROOT / part, folder / part
        target.parent.mkdir(parents=True, exist_ok=True)
        if source.is_dir():
            shutil.copytree(source, target, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(source, target)
    return repository(folder)


def _is_of_ci(name: str) -> bool:
    return name.startswith(("GITHUB_", "RUNNER_", "CI_", "GIT_", "PRE_COMMIT", "PIP_", "PYTHON")) or name in (
        "CI",
        "FORCE_COLOR",
        "NO_COLOR",
        "CARGO_TERM_COLOR",
        "VIRTUAL_ENV",
    )
