"""`cfglint graph`: the items of a workspace, what they use and import, each with its condition.

Nothing of the workspace is run.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import write
from cfglint.config import Config, check_jobs
from cfglint.errors import UsageError


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "graph",
        help="write the item and call graph, or what is around one item, with conditions",
        description="Write which item contains, imports and uses which other, each node and edge with the condition "
        "under which it is there.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument("item", nargs="?", metavar="ITEM", help="a path, such as crate::net::connect (default: all)")
    parser.add_argument("--path", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)")
    parser.add_argument("-p", "--package", action="append", metavar="NAME", help="only this member (repeatable)")
    parser.add_argument("--all-targets", action="store_true", help="tests, examples and benches as well")
    parser.add_argument("--depth", type=int, default=1, metavar="N", help="how far around ITEM to go (default: 1)")
    parser.add_argument(
        "--when", metavar="PREDICATE", help="""mark what a configuration keeps and cuts: 'all(feature = "a", unix)'"""
    )
    parser.add_argument("--target", action="append", metavar="TRIPLE", help="decide for this target (repeatable)")
    parser.add_argument(
        "--format",
        choices=["dot", "graphml", "json", "svg"],
        default="dot",
        help="dot (default), graphml, json, or svg",
    )
    parser.add_argument("--output-file", type=Path, metavar="FILE", help="write it there instead of to stdout")
    parser.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    if options.depth < 0:
        raise UsageError("--depth must not be negative")
    config = Config(
        options.path,
        packages=tuple(options.package or ()),
        targets=tuple(options.target or ()),
        jobs=check_jobs(options.jobs),
    )
    if not config.start.exists():
        raise UsageError(f"no such file or directory: {config.start}")
    from cfglint.cli.progress import progress_bar
    from cfglint.inquiry.graphs import graph_of

    with progress_bar() as progress:
        graph, node = graph_of(
            replace(config, progress=progress),
            options.item,
            when=options.when,
            depth=options.depth,
            all_targets=options.all_targets,
        )
    from cfglint.report import graph_formats

    if options.format == "svg":
        from cfglint.report.graph_svg import MOST_NODES, graph_svg

        if len(graph) > MOST_NODES:
            wanted = "give an ITEM" if options.item is None else "lower --depth"
            raise UsageError(f"{len(graph)} nodes make no picture; {wanted}, or write dot")
        title = f"around {node}" if node is not None else "items and what they use"
        text = graph_svg(graph, title + (f" when cfg({options.when})" if options.when else ""))
    elif options.format == "graphml":
        text = graph_formats.graph_graphml(graph)
    elif options.format == "json":
        text = graph_formats.graph_json(graph)
    else:
        text = graph_formats.graph_dot(graph)
    write(text, options.output_file)
    return SUCCESS
