"""`cfglint matrix`: the builds that show every gate on and off, and every interaction that the code makes.

Derived from source; nothing of the workspace is run.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli.exit_codes import FINDINGS, SUCCESS
from cfglint.cli.output import write
from cfglint.config import Config, check_jobs
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.matrix.combination import Combination
    from cfglint.matrix.derive import PackageMatrix

STRATEGIES = ("derived", "each", "pairwise", "full", "declared")
_MOST_JOBS = 256
"""Jobs that GitHub makes of one matrix (GitHub docs, workflow syntax, `jobs.<job_id>.strategy.matrix`)."""


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "matrix",
        help="list the builds that compile every gate on and off",
        description="List the fewest builds that compile every gate on and off, and all that its code makes meet.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    add_selection(parser)
    add_strategy(parser)
    output = parser.add_argument_group("output")
    what = output.add_mutually_exclusive_group()
    what.add_argument(
        "--format",
        choices=["text", "json", "toml"],
        default="text",
        help="commands, or a GitHub strategy.matrix, or TOML",
    )
    what.add_argument(
        "--check", type=Path, metavar="FILE", help="exit 1 if FILE is not this list, and show the difference"
    )
    what.add_argument("--interactions", action="store_true", help="which features interact, and which provably do not")
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write there instead of to stdout")


def add_selection(parser: argparse.ArgumentParser) -> None:
    """Options that say what is looked at."""
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)"
    )
    packages = parser.add_argument_group("what to build")
    packages.add_argument("-p", "--package", action="append", metavar="NAME", help="only this member (repeatable)")
    packages.add_argument("--manifest-path", type=Path, metavar="FILE", help="path to a Cargo.toml, instead of PATH")
    packages.add_argument("--target", action="append", metavar="TRIPLE", help="only for this target (repeatable)")


def add_strategy(parser: argparse.ArgumentParser) -> None:
    """Options that say which combinations are listed."""
    group = parser.add_argument_group("which combinations")
    group.add_argument(
        "--strategy", choices=STRATEGIES, default="derived", help="derived from the code (default), or not"
    )
    group.add_argument("--limit", type=int, metavar="N", help="combinations of one package that `full` may list")
    group.add_argument("--partition", metavar="I/N", help="only part I of N, for jobs that share the work")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    matrices, chosen = listed(configure(options), options)
    from cfglint.matrix.lists import drift
    from cfglint.report import matrix as report

    if options.check is not None:
        found = drift(options.check, chosen)
        write("" if found.is_none else report.difference(found, str(options.check)), options.output_file)
        return SUCCESS if found.is_none else FINDINGS
    if options.interactions:
        write(report.interactions(matrices), options.output_file)
        return SUCCESS
    if options.format == "json" and len(chosen) > _MOST_JOBS:
        message = (
            f"{len(chosen)} combinations, and GitHub makes no more than {_MOST_JOBS} jobs of a matrix; use --partition"
        )
        print(f"cfglint: {message}", file=sys.stderr)
    text = {
        "text": lambda: report.commands(matrices, chosen),
        "json": lambda: report.github(chosen),
        "toml": lambda: report.toml(chosen),
    }[options.format]()
    write(text, options.output_file)
    return SUCCESS


def listed(config: Config, options: argparse.Namespace) -> tuple[Sequence[PackageMatrix], Sequence[Combination]]:
    """The matrix of every package, and the combinations of the part that is asked for."""
    from cfglint.cli.progress import progress_bar
    from cfglint.matrix.combination import in_order
    from cfglint.matrix.derive import FULL_LIMIT, Strategy
    from cfglint.matrix.lists import parse_partition, part

    partition = None if options.partition is None else parse_partition(options.partition)
    limit = FULL_LIMIT if options.limit is None else options.limit
    if limit < 1:
        raise UsageError("--limit must be at least 1")
    strategy = Strategy(options.strategy)
    with progress_bar() as progress:
        import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)
        from cfglint.planning import plan, with_dependencies

        wide = with_dependencies(config) if strategy is Strategy.DERIVED else config
        analysis = pipeline.analyze(replace(wide, progress=progress))
        findings = pipeline.run(analysis).findings if strategy is Strategy.DERIVED else ()
        matrices = plan(analysis, findings, strategy, limit, only=config.packages)
    combinations = in_order([one for matrix in matrices for one in matrix.combinations])
    return matrices, part(combinations, partition)


def configure(options: argparse.Namespace) -> Config:
    """The Config of a command line that selects packages.

    Raises UsageError and ConfigError.
    """
    config = Config(
        path=options.path,
        manifest_path=options.manifest_path,
        packages=tuple(options.package or ()),
        targets=tuple(options.target or ()),
        jobs=check_jobs(getattr(options, "workers", None)),
    )
    if not config.start.exists():
        raise UsageError(f"no such file or directory: {config.start}")
    from cfglint.settings.finding import find_settings

    settings = find_settings(config.start)
    if not config.targets and settings.targets:
        config = replace(config, targets=settings.targets)
    return config
