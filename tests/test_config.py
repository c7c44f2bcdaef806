from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.config import Config, FailOn, Format, Level, Settings, did_you_mean, with_settings
from cfglint.errors import ConfigError, UsageError
from cfglint.settings.finding import find_settings

METADATA = '[workspace]\nmembers = ["a"]\n\n[workspace.metadata.cfglint]\n'


def settings_of(root: Path, text: str) -> Settings:
    (root / "cfglint.toml").write_text(text, "utf-8")
    return find_settings(root)


def test_every_key(tmp_path: Path) -> None:
    assert settings_of(
        tmp_path,
        """\
fail-on = "warning"
format = "concise"
select = ["CFG0"]
ignore = ["CFG012"]
targets = ["x86_64-pc-windows-msvc"]
[levels]
CFG101 = "deny"
configured-out-item = "warn"
""",
    ) == Settings(
        fail_on=FailOn.WARNING,
        format=Format.CONCISE,
        select=("CFG0",),
        ignore=("CFG012",),
        targets=("x86_64-pc-windows-msvc",),
        levels=(("CFG101", Level.DENY), ("CFG001", Level.WARN)),
    )


def test_the_manifest_table_says_the_same(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(METADATA + 'fail-on = "never"\n', "utf-8")
    assert find_settings(tmp_path / "Cargo.toml") == Settings(fail_on=FailOn.NEVER)


def test_settings_are_found_upwards_and_the_nearest_win(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text('fail-on = "never"\n', "utf-8")
    inner = tmp_path / "crates" / "a"
    inner.mkdir(parents=True)
    (inner / "Cargo.toml").write_text('[package]\nname = "a"\n', "utf-8")
    assert find_settings(inner).fail_on is FailOn.NEVER
    (tmp_path / "crates" / "Cargo.toml").write_text(METADATA + 'fail-on = "warning"\n', "utf-8")
    assert find_settings(inner).fail_on is FailOn.WARNING


def test_another_workspace_has_its_own_settings(tmp_path: Path) -> None:
    (tmp_path / "cfglint.toml").write_text('fail-on = "never"\n', "utf-8")
    inner = tmp_path / "vendored" / "src"
    inner.mkdir(parents=True)
    (tmp_path / "vendored" / "Cargo.toml").write_text('[package]\nname = "a"\n[workspace]\n', "utf-8")
    assert find_settings(inner) == Settings()


def test_nothing_said_is_nothing_set(tmp_path: Path) -> None:
    assert settings_of(tmp_path, "") == Settings()


def test_a_manifest_that_is_no_toml_is_not_ours_to_judge(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text("[workspace.metadata.cfglint\n", "utf-8")
    (tmp_path / "cfglint.toml").write_text('fail-on = "never"\n', "utf-8")
    assert find_settings(tmp_path).fail_on is FailOn.NEVER


@pytest.mark.parametrize(
    ("text", "line", "complaint"),
    [
        ('\nfial-on = "error"\n', 2, "unknown key `fial-on`; did you mean `fail-on`?"),
        ("zzz = 1\n", 1, "unknown key `zzz`"),
        ('# x\n"fail_on" = "error"\n', 2, "unknown key `fail_on`; did you mean `fail-on`?"),
        ("[level]\nCFG001 = 1\n", 1, "unknown key `level`; did you mean `levels`?"),
        (
            'select = ["CFG0"]\nfail-on = "eror"\n',
            2,
            "`fail-on` must be one of error, warning, never; did you mean `error`?",
        ),
        ("fail-on = 3\n", 1, "`fail-on` must be one of error, warning, never"),
        ('select = "CFG0"\n', 1, "`select` must be an array of strings"),
        ("levels = 1\n", 1, "`levels` must be a table"),
        (
            '[levels]\nCFG101 = "deny"\nCFG102 = "warning"\n',
            3,
            "`CFG102` must be one of allow, warn, deny; did you mean `warn`?",
        ),
        ('[levels]\nCFG101 = "default"\n', 2, "`CFG101` must be one of allow, warn, deny"),
        ("x = = 1\n", 1, "invalid TOML"),
    ],
)
def test_what_is_wrong_is_told_with_its_line(tmp_path: Path, text: str, line: int, complaint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        settings_of(tmp_path, text)
    assert str(caught.value).startswith(f"{tmp_path / 'cfglint.toml'}:{line}: {complaint}")


def test_a_wrong_key_in_the_manifest_has_the_manifests_line(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(METADATA + "selekt = []\n", "utf-8")
    with pytest.raises(ConfigError, match=r"Cargo\.toml:5: unknown key `selekt`; did you mean `select`\?"):
        find_settings(tmp_path)


def test_two_places_for_settings_are_one_too_many(tmp_path: Path) -> None:
    (tmp_path / "Cargo.toml").write_text(METADATA, "utf-8")
    with pytest.raises(ConfigError, match="keep one"):
        settings_of(tmp_path, "")


@pytest.mark.parametrize("content", [b"\xff\xfe", b"x = '\xe9'"])
def test_a_file_that_is_not_utf8_is_told(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "cfglint.toml").write_bytes(content)
    with pytest.raises(ConfigError, match="cannot be read"):
        find_settings(tmp_path)


def test_the_command_line_wins_and_its_levels_come_last() -> None:
    settings = Settings(fail_on=FailOn.NEVER, format=Format.JSON, levels=(("CFG001", Level.ALLOW),))
    config = Config(Path(), fail_on=FailOn.WARNING, levels=(("CFG001", Level.WARN),))
    merged = with_settings(config, settings, given=["fail_on"])
    assert (merged.fail_on, merged.format) == (FailOn.WARNING, Format.JSON)
    assert merged.level("CFG001") is Level.WARN


@pytest.mark.parametrize(
    ("config", "code", "level"),
    [
        (Config(Path()), "CFG001", Level.DEFAULT),
        (Config(Path(), select=("CFG1",)), "CFG001", Level.ALLOW),
        (Config(Path(), select=("CFG1",)), "CFG101", Level.DEFAULT),
        (Config(Path(), ignore=("CFG0",)), "CFG001", Level.ALLOW),
        (Config(Path(), ignore=("CFG0",), select=("CFG001",)), "CFG001", Level.DEFAULT),
        (Config(Path(), select=("CFG0",), ignore=("CFG001",)), "CFG001", Level.ALLOW),
        (Config(Path(), select=("CFG001",), ignore=("CFG001",)), "CFG001", Level.ALLOW),
        (Config(Path(), levels=(("CFG0", Level.DENY), ("CFG001", Level.WARN))), "CFG001", Level.WARN),
        (Config(Path(), levels=(("CFG001", Level.WARN), ("CFG0", Level.DENY))), "CFG001", Level.DENY),
        (Config(Path(), ignore=("CFG001",), levels=(("CFG001", Level.DENY),)), "CFG001", Level.DENY),
    ],
)
def test_levels(config: Config, code: str, level: Level) -> None:
    assert config.level(code) is level


def test_a_near_miss_is_suggested_and_a_far_one_is_not() -> None:
    assert did_you_mean("CFG01", ["CFG001", "CFG101"]) == "; did you mean `CFG001`?"
    assert did_you_mean("zebra", ["CFG001"]) == ""


def test_jobs() -> None:
    from cfglint.config import check_jobs

    assert check_jobs(3) == 3
    with pytest.raises(UsageError):
        check_jobs(0)
