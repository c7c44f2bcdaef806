"""`cfglint ci`: what CI does with the workspace, and what that hides or never builds. Nothing is run."""

from __future__ import annotations

import argparse
import json
import sys
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli.check import exit_status
from cfglint.cli.exit_codes import SUCCESS
from cfglint.cli.output import wants_color, write
from cfglint.cli.selection import codes
from cfglint.config import ColorChoice, Config, FailOn, Format, check_jobs, with_settings
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.ci_audit import CiOutcome
    from cfglint.finding import Report


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "ci",
        help="report what CI hides, stops at, or never compiles",
        description="Read workflows and the scripts they call, and report what they hide, stop at, or never compile.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run)
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)"
    )
    packages = parser.add_argument_group("what to check")
    packages.add_argument(
        "-p", "--package", action="append", metavar="NAME", help="only gates of this member (repeatable)"
    )
    packages.add_argument("--manifest-path", type=Path, metavar="FILE", help="path to a Cargo.toml, instead of PATH")
    packages.add_argument("--target", action="append", metavar="TRIPLE", help="count gates of this target (repeatable)")
    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", action="append", metavar="CODES", help="only these rules; a prefix selects several")
    rules.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    output = parser.add_argument_group("output")
    output.add_argument(
        "--format", choices=[each.value for each in Format], help="format of the report (default: text)"
    )
    output.add_argument("--coverage", action="store_true", help="print which job compiles which gate on and off")
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write the report there instead of to stdout")
    output.add_argument("--color", choices=[each.value for each in ColorChoice], default="auto")
    output.add_argument("-q", "--quiet", action="store_true", help="print nothing but findings")
    output.add_argument(
        "--fail-on", choices=[each.value for each in FailOn], help="exit 1 from this severity on (default: warning)"
    )
    work = parser.add_argument_group("how to work")
    work.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    config = _configure(options)
    from cfglint.cli.progress import progress_bar
    from cfglint.levels import apply_levels

    with progress_bar() as progress:
        import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)
        from cfglint.ci_audit import audit

        outcome = audit(pipeline.analyze(replace(config, progress=progress)))
    report = apply_levels(outcome.report, config)
    write(_rendered(outcome, report, config, with_table=options.coverage), config.output_file)
    return SUCCESS if options.coverage else exit_status(report, config.fail_on)


def _configure(options: argparse.Namespace) -> Config:
    config = Config(
        path=options.path,
        manifest_path=options.manifest_path,
        packages=tuple(options.package or ()),
        targets=tuple(options.target or ()),
        format=Format(options.format or "text"),
        fail_on=FailOn(options.fail_on or "warning"),
        color=ColorChoice(options.color),
        select=codes(*options.select or ()),
        ignore=codes(*options.ignore or ()),
        output_file=options.output_file,
        jobs=check_jobs(options.jobs),
        quiet=options.quiet,
    )
    if not config.start.exists():
        raise UsageError(f"no such file or directory: {config.start}")
    given = {
        "format": options.format,
        "fail_on": options.fail_on,
        "select": options.select,
        "ignore": options.ignore,
        "targets": options.target,
    }
    from cfglint.settings.finding import find_settings

    return with_settings(config, find_settings(config.start), given=[name for name, value in given.items() if value])


def _rendered(outcome: CiOutcome, report: Report, config: Config, *, with_table: bool) -> str:
    from cfglint.report import Presentation, render
    from cfglint.report.ci import closing, coverage_objects, coverage_table
    from cfglint.report.terminal import colored, plain

    if with_table and config.format is Format.JSON:
        ways = sum(coverage.builds for coverage in outcome.coverages)
        return json.dumps({"builds": ways, "coverage": coverage_objects(outcome.coverages)}, indent=2) + "\n"
    in_color = wants_color(config.color, to_terminal=config.output_file is None and sys.stdout.isatty())
    jobs = len({(call.origin.workflow, call.origin.job) for call in outcome.survey.calls})
    rest = [] if config.quiet else list(closing(report, outcome.coverages, jobs))
    if with_table:
        lines = [*coverage_table(outcome.coverages), *rest[-1:]]
        return colored(lines) if in_color else plain(lines)
    presentation = Presentation(outcome.survey.workspace.root, in_color=in_color, quiet=True)
    text = render(report, config.format, presentation)
    if config.format is not Format.TEXT:
        return text
    return text + (colored(rest) if in_color else plain(rest))
