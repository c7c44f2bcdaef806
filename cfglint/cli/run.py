"""`cfglint run`: build a matrix with cargo, all of it, and say what fails in which combinations.

This runs the project: build scripts and procedural macros, and whatever the cargo subcommand does.
"""

from __future__ import annotations

import argparse
import os
import shlex
import sys
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli.exit_codes import FINDINGS, INTERRUPTED, SUCCESS
from cfglint.cli.matrix import add_selection, add_strategy, configure
from cfglint.cli.output import wants_color, write
from cfglint.config import ColorChoice
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.cargo.matrix_run import Options
    from cfglint.manifest.feature_model import FeatureModel
    from cfglint.matrix.combination import Combination
    from cfglint.matrix.results import Result, RunReport

_FORMATS = ("text", "json", "junit", "markdown")


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "run",
        help="build every combination of a matrix with cargo (runs the project)",
        description="Build every combination of a matrix with cargo, stopping at no failure, and report each error once.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    add_selection(parser)
    add_strategy(parser)
    parser.add_argument(
        "--matrix", type=Path, metavar="FILE", help="run this list (JSON, TOML) instead of deriving one"
    )
    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=_FORMATS, default="text", help="format of the report (default: text)")
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write the report there instead of to stdout")
    output.add_argument(
        "--report", action="append", default=[], metavar="FORMAT=FILE", help="one more report (repeatable)"
    )
    output.add_argument("--color", choices=[choice.value for choice in ColorChoice], default="auto")
    output.add_argument("-q", "--quiet", action="store_true", help="say nothing while it runs")
    work = parser.add_argument_group("how to work")
    work.add_argument(
        "--command", default="check", metavar="WORDS", help="cargo subcommand, as in 'clippy -- -D warnings'"
    )
    work.add_argument(
        "-j", "--jobs", type=int, default=1, metavar="N", help="combinations at a time, each with a target directory"
    )
    work.add_argument("--timeout", type=float, metavar="SECONDS", help="stop a combination that takes longer")
    work.add_argument("--resume", action="store_true", help="keep what an earlier run built of the same sources")
    work.add_argument("--clean", action="store_true", help="remove what was compiled of a package when it is done")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    reports = [_report(text) for text in options.report]
    report = _build(options)
    write(
        _rendered(report, options.format, ColorChoice(options.color), to_file=options.output_file), options.output_file
    )
    for kind, file in reports:
        write(_rendered(report, kind, ColorChoice.NEVER, to_file=file), file)
    if report.is_interrupted:
        return INTERRUPTED
    from cfglint.matrix.results import Status

    return FINDINGS if report.count(Status.FAILED) else SUCCESS


def _build(options: argparse.Namespace) -> RunReport:
    """Derive or read the matrix, build it, and hold what rustc says against the findings."""
    from cfglint.cargo.matrix_run import run_matrix
    from cfglint.cargo.predictions import summarize
    from cfglint.cli.progress import progress_bar
    from cfglint.matrix.combination import in_order
    from cfglint.matrix.derive import FULL_LIMIT, Strategy
    from cfglint.matrix.lists import parse_partition, part, read_list

    how = _options(options)
    partition = None if options.partition is None else parse_partition(options.partition)
    config = configure(options)
    with progress_bar() as progress:
        import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)
        from cfglint.planning import plan, with_dependencies

        analysis = pipeline.analyze(replace(with_dependencies(config), progress=progress))
        findings = pipeline.run(analysis).findings
        if options.matrix is not None:
            listed: Sequence[Combination] = read_list(options.matrix)
        else:
            strategy = Strategy(options.strategy)
            matrices = plan(analysis, findings, strategy, options.limit or FULL_LIMIT, only=config.packages)
            listed = in_order([one for matrix in matrices for one in matrix.combinations])
        chosen = part(listed, partition)
        told = _teller(is_quiet=options.quiet)
        done = run_matrix(chosen, how, analysis.workspace_root, progress=progress, told=told)

    def model(name: str) -> FeatureModel | None:
        package = analysis.workspace.package(name)
        return None if package is None or analysis.linked is None else analysis.linked.setting.model(package)

    return summarize(done, findings, model, analysis.workspace_root, how.words)


def _options(options: argparse.Namespace) -> Options:
    from cfglint.cargo.matrix_run import TIMEOUT, Options

    try:
        words = tuple(shlex.split(options.command))
    except ValueError as error:
        raise UsageError(f"--command: {error}") from error
    if options.jobs < 1:
        raise UsageError("--jobs must be at least 1")
    if options.timeout is not None and options.timeout <= 0:
        raise UsageError("--timeout must be above 0")
    return Options(words, options.jobs, options.timeout or TIMEOUT, options.resume, options.clean)


def _teller(*, is_quiet: bool) -> Callable[[Result], None]:
    """A line on stderr for each combination as it ends, where there is no progress bar to say so."""
    if is_quiet or (sys.stderr.isatty() and not os.environ.get("CI")):
        return lambda _: None
    from cfglint.report.run_text import result_line
    from cfglint.report.terminal import plain

    def tell(result: Result) -> None:
        sys.stderr.write(plain([result_line(result)]))
        sys.stderr.flush()

    return tell


def _report(text: str) -> tuple[str, Path]:
    kind, equals, name = text.partition("=")
    if not equals or not name or kind not in _FORMATS:
        raise UsageError(f"--report takes FORMAT=FILE with a format of {', '.join(_FORMATS)}, not `{text}`")
    return kind, Path(name)


def _rendered(report: RunReport, kind: str, color: ColorChoice, *, to_file: Path | None) -> str:
    if kind == "json":
        from cfglint.report.run_json import render_run_json

        return render_run_json(report)
    if kind == "junit":
        from cfglint.report.run_junit import render_run_junit

        return render_run_junit(report)
    if kind == "markdown":
        from cfglint.report.run_markdown import render_run_markdown

        return render_run_markdown(report)
    from cfglint.report.run_text import lines
    from cfglint.report.terminal import colored, plain

    in_color = wants_color(color, to_terminal=to_file is None and sys.stdout.isatty())
    return colored(lines(report)) if in_color else plain(lines(report))
