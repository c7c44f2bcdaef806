"""`cfglint graph`: the four formats, what a configuration keeps and cuts, and items that are not there."""

from __future__ import annotations

import json
import xml.etree.ElementTree as ET
from pathlib import Path
from typing import Any

import networkx as nx
import pytest

from cfglint.cli.main import main

SEED = str(Path(__file__).parents[2] / "fixtures_rust/seed-workspace")
DISPATCH = "gdn2::cuda_dispatch"
NOTE = "gdn2::cuda_dispatch::fused::note_untracked"


def graph(capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    assert main(["graph", *arguments, "--path", SEED]) == 0
    return capsys.readouterr().out


def test_json_has_every_node_and_edge_with_its_condition(capsys: pytest.CaptureFixture[str]) -> None:
    whole: dict[str, Any] = json.loads(graph(capsys, "--format", "json"))
    nodes = {node["id"]: node for node in whole["nodes"]}
    assert nodes[DISPATCH]["when"] == 'feature = "autodiff"'
    assert nodes[NOTE]["when"] == 'all(feature = "cuda", feature = "autodiff")'
    assert all(edge["source"] in nodes and edge["target"] in nodes for edge in whole["edges"])
    around = json.loads(graph(capsys, "record", "--format", "json"))
    assert {node["id"] for node in around["nodes"]} < set(nodes)
    (call,) = [edge for edge in around["edges"] if edge["target"] == NOTE and edge["kind"] == "uses"]
    assert call["source"] == "gdn2::autodiff::record"
    assert call["fails_when"] == 'all(not(feature = "cuda"), feature = "autodiff")'


def test_dot_draws_what_fails_in_red(capsys: pytest.CaptureFixture[str]) -> None:
    text = graph(capsys, "record")
    assert text.startswith("digraph cfglint {\n")
    assert text.endswith("}\n")
    (call,) = [line for line in text.splitlines() if f'-> "{NOTE}"' in line and "uses" in line]
    assert "fails when cfg(" in call


def test_graphml_is_read_by_others(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    file = tmp_path / "g.graphml"
    assert graph(capsys, "record", "--format", "graphml", "--output-file", str(file)) == ""
    read = nx.read_graphml(file)
    listed = json.loads(graph(capsys, "record", "--format", "json"))
    assert len(read) == len(listed["nodes"])
    assert read.number_of_edges() == len(listed["edges"])


def test_svg_is_a_picture_with_every_node(capsys: pytest.CaptureFixture[str]) -> None:
    text = graph(capsys, "record", "--format", "svg", "--when", 'feature = "autodiff"')
    assert ET.fromstring(text).tag.endswith("svg")  # our own output
    assert "note_untracked" in text


@pytest.mark.parametrize(
    ("when", "node", "call"),
    [
        ('all(feature = "cuda", feature = "autodiff")', "kept", "kept"),
        ('all(feature = "autodiff", not(feature = "cuda"))', "cut", "broken"),
    ],
)
def test_a_configuration_keeps_and_cuts(capsys: pytest.CaptureFixture[str], when: str, node: str, call: str) -> None:
    one = json.loads(graph(capsys, "note_untracked", "--format", "json", "--when", when))
    assert [each["state"] for each in one["nodes"] if each["id"] == NOTE] == [node]
    assert [each["state"] for each in one["edges"] if each["kind"] == "uses"] == [call]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["crate::nothing"], "nothing here is called `crate::nothing`"),
        (["recrod"], "nothing here is called `recrod`"),
        ([""], "give more of the path"),
        (["--when", 'all(feature = "a"'], "is not a cfg predicate"),
        (["--when", 'feature = "cudaa"'], "no package here has a feature `cudaa`; did you mean `cuda`?"),
        (["record", "--depth", "-1"], "--depth must not be negative"),
    ],
)
def test_what_is_not_there(capsys: pytest.CaptureFixture[str], arguments: list[str], said: str) -> None:
    assert main(["graph", *arguments, "--path", SEED]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert said in err


def test_a_workspace_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    assert main(["graph", "--path", str(tmp_path / "gone")]) == 2
    assert "no such file or directory" in capsys.readouterr().err
