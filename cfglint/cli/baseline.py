"""`cfglint baseline`: list what is there already, so that only what is new is reported; and shorten the list.

A baseline is about all configurations, which is why there are no options for some of them. Nothing but the list is
written, and it is never made longer.
"""

from __future__ import annotations

import argparse
import os
import tempfile
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import write
from cfglint.cli.selection import add_packages, narrowing
from cfglint.config import Config, check_jobs, with_settings
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.baseline.listing import Entry
    from cfglint.finding import Report
    from cfglint.nameres.analysis import Analysis


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "baseline",
        help="list the findings that are there already",
        description="List the findings that are there already, so that `check` reports new ones only.",
        allow_abbrev=False,
    )
    actions = parser.add_subparsers(title="actions", metavar="ACTION", required=True)
    for name, run, what in (
        ("write", write_baseline, "write the list for the first time"),
        ("prune", prune_baseline, "take out of the list what is not found any more"),
    ):
        action = actions.add_parser(
            name, usage="%(prog)s [OPTIONS] [PATH]", help=what, description=f"{what.capitalize()}.", allow_abbrev=False
        )
        action.set_defaults(run=run)
        action.add_argument(
            "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)"
        )
        add_packages(action)
        action.add_argument("--baseline", type=Path, metavar="FILE", help="instead of .cfglint-baseline.json")
        action.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")


def write_baseline(options: argparse.Namespace) -> int:
    """`baseline write`; returns the exit status."""
    from cfglint.baseline.listing import listed
    from cfglint.review import baseline_file

    analysis, report = _report(options)
    file = baseline_file(analysis.config, analysis.workspace_root)
    if os.path.lexists(file):
        raise UsageError(f"{file} is there already, and only gets shorter: `cfglint baseline prune`")
    entries = listed(report.findings)
    _save(entries, file)
    write(f"{_findings(entries)} listed in {_shown(file)}\n", None)
    return SUCCESS


def prune_baseline(options: argparse.Namespace) -> int:
    """`baseline prune`; returns the exit status."""
    from cfglint.baseline.listing import read_baseline
    from cfglint.baseline.matching import pruned
    from cfglint.review import baseline_file, judges

    analysis, report = _report(options)
    file = baseline_file(analysis.config, analysis.workspace_root)
    baseline = read_baseline(file)
    if baseline is None:
        raise UsageError(f"there is no {file}: `cfglint baseline write` makes it")
    entries = pruned(report.findings, baseline.entries, judges(report, analysis.config))
    gone = _count(baseline.entries) - _count(entries)
    if gone:
        _save(entries, file)
    write(f"{gone:,} taken out, {_findings(entries)} left in {_shown(file)}\n", None)
    return SUCCESS


def _report(options: argparse.Namespace) -> tuple[Analysis, Report]:
    """What is found without a baseline."""
    import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)
    from cfglint.cli.progress import progress_bar
    from cfglint.review import reviewed
    from cfglint.settings.finding import find_settings

    config = Config(
        path=options.path,
        manifest_path=options.manifest_path,
        packages=tuple(options.package or ()),
        narrowing=narrowing(options),
        baseline=options.baseline,
        without_baseline=True,
        jobs=check_jobs(options.jobs),
    )
    if not config.start.exists():
        raise UsageError(f"no such file or directory: {config.start}")
    config = with_settings(config, find_settings(config.start), given=[])
    with progress_bar() as progress:
        analysis = pipeline.analyze(replace(config, progress=progress))
        return analysis, reviewed(pipeline.run(analysis), analysis)


def _save(entries: tuple[Entry, ...], file: Path) -> None:
    """Replace the file as a whole, so that nothing is left half written and no link is followed."""
    from cfglint.baseline.listing import text_of

    try:
        descriptor, name = tempfile.mkstemp(prefix=f"{file.name}-", dir=file.parent)
        try:
            with open(descriptor, "w", encoding="utf-8", newline="\n") as stream:
                stream.write(text_of(entries))
            os.chmod(name, 0o644)
            os.replace(name, file)
        except BaseException:
            os.unlink(name)
            raise
    except OSError as error:
        raise UsageError(f"cannot write {file}: {error.strerror or error}") from error


def _count(entries: tuple[Entry, ...]) -> int:
    return sum(entry.count for entry in entries)


def _findings(entries: tuple[Entry, ...]) -> str:
    count = _count(entries)
    return f"{count:,} finding" if count == 1 else f"{count:,} findings"


def _shown(file: Path) -> str:
    return os.path.relpath(file).replace(os.sep, "/")
