from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.cli.repository import prefix_in_repository


@pytest.mark.parametrize(
    ("git", "workspace", "variables", "prefix"),
    [
        ("a", "a/b/c", {}, "b/c/"),
        ("a", "a", {}, ""),
        ("a", "a/b/c", {"GITHUB_WORKSPACE": "{root}/a/b"}, "c/"),
        ("a", "a/b/c", {"CI_PROJECT_DIR": "{root}"}, "a/b/c/"),
        ("a", "a/b/c", {"GITHUB_WORKSPACE": "{root}/elsewhere", "CI_PROJECT_DIR": ""}, "b/c/"),
    ],
)
def test_where_a_workspace_lies(
    tmp_path: Path, git: str, workspace: str, variables: dict[str, str], prefix: str
) -> None:
    (tmp_path / workspace).mkdir(parents=True)
    (tmp_path / git / ".git").mkdir()
    environment = {name: value.format(root=tmp_path) for name, value in variables.items()}
    assert prefix_in_repository(tmp_path / workspace, environment) == prefix


def test_a_linked_working_tree_has_a_file(tmp_path: Path) -> None:
    (tmp_path / "rust").mkdir()
    (tmp_path / ".git").write_text("gitdir: elsewhere\n", "utf-8")
    assert prefix_in_repository(tmp_path / "rust", {}) == "rust/"
