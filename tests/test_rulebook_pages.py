from __future__ import annotations

from pathlib import Path

import pytest

from cfglint.errors import ConfigError
from cfglint.rulebook import HEADINGS, CodeBlock, code_blocks, find, load, parse, rulebook

FRONT = """\
+++
code = "CFG001"
name = "configured-out-item"
severity = "error"
since = "0.1.0"
summary = "a path names an item that is configured out"
+++
"""
BODY = "\n".join(f"\n## {heading}\n\nText of {heading}.\n" for heading in HEADINGS)


def write(folder: Path, text: str, name: str = "CFG001-configured-out-item.md") -> Path:
    file = folder / name
    file.write_text(text, "utf-8")
    return file


def test_a_page_is_read_whole(tmp_path: Path) -> None:
    rule = parse(write(tmp_path, FRONT + BODY))
    assert (rule.code, rule.name, rule.severity, rule.since) == ("CFG001", "configured-out-item", "error", "0.1.0")
    assert tuple(rule.sections) == HEADINGS
    assert rule.sections["Why is this bad?"] == "Text of Why is this bad?.\n"
    assert rule.body.startswith("## What it does\n")


@pytest.mark.parametrize(
    ("text", "name", "complaint"),
    [
        (FRONT + BODY, "CFG002-configured-out-item.md", "must be named `CFG001-configured-out-item.md`"),
        (FRONT + BODY, "CFG001-configured-out.md", "must be named `CFG001-configured-out-item.md`"),
        (BODY, "CFG001-configured-out-item.md", "must begin with TOML between `+++` lines"),
        (FRONT.replace('since = "0.1.0"\n', "") + BODY, "CFG001-configured-out-item.md", "must have the string keys"),
        (FRONT.replace('"0.1.0"', "1") + BODY, "CFG001-configured-out-item.md", "must have the string keys"),
        (FRONT.replace("since", "wince = 'x'\nsince") + BODY, "CFG001-configured-out-item.md", "and no other"),
        (FRONT.replace('"error"', '"fatal"') + BODY, "CFG001-configured-out-item.md", "`severity` must be one of"),
        (FRONT.replace('"0.1.0"', '"0.1.0') + BODY, "CFG001-configured-out-item.md", "invalid TOML"),
        (
            FRONT + BODY.replace("## Limitations", "## Limits"),
            "CFG001-configured-out-item.md",
            "exactly these headings",
        ),
        (FRONT + BODY.replace("## Example", "### Example"), "CFG001-configured-out-item.md", "exactly these headings"),
        (FRONT.replace("CFG001", "CFG1") + BODY, "CFG1-configured-out-item.md", "`code` must be like CFG001"),
    ],
)
def test_a_page_out_of_form_is_refused(tmp_path: Path, text: str, name: str, complaint: str) -> None:
    with pytest.raises(ConfigError) as caught:
        parse(write(tmp_path, text, name))
    assert complaint in str(caught.value)
    assert name in str(caught.value)


def test_one_code_has_one_page(tmp_path: Path) -> None:
    write(tmp_path, FRONT + BODY)
    write(tmp_path, FRONT.replace("-item", "") + BODY, "CFG001-configured-out.md")
    with pytest.raises(ConfigError, match="`CFG001` is taken"):
        load(tmp_path)


def test_headings_inside_a_fence_are_code(tmp_path: Path) -> None:
    body = BODY.replace(
        "Text of Example.", "```rust src/lib.rs\n## not a heading\n```\nand\n```toml Cargo.toml\n[features]\n```"
    )
    rule = parse(write(tmp_path, FRONT + body))
    assert code_blocks(rule.sections["Example"]) == (
        CodeBlock("rust src/lib.rs", "## not a heading\n"),
        CodeBlock("toml Cargo.toml", "[features]\n"),
    )


def test_the_projects_own_pages_are_in_form() -> None:
    codes = [rule.code for rule in rulebook()]
    assert codes == sorted(codes)
    for rule in rulebook():
        assert find(rule.code.lower()) is rule
        assert find(rule.name) is rule
    assert find("CFG000") is None
