"""`cfglint check`: decide every feature combination and report what does not hold.

Nothing of the workspace is run unless `--confirm` asks for it.
"""

from __future__ import annotations

import argparse
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from cfglint.cli import mend
from cfglint.cli.exit_codes import FINDINGS, SUCCESS
from cfglint.cli.selection import add_configurations, add_kinds, add_packages, add_rules, codes, narrowing
from cfglint.config import ColorChoice, Config, FailOn, Format, check_jobs, with_settings
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.finding import Report


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        usage="%(prog)s [OPTIONS] [PATH]",
        help="report references that fail in some feature combination",
        description="Report every reference that some feature combination compiles while what it names is configured out.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, levels=())
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)"
    )

    packages = add_packages(parser)
    add_configurations(packages)
    add_kinds(packages)
    add_rules(parser)

    known = parser.add_argument_group("what is known already")
    known.add_argument("--since", metavar="REV", help="only what is new since this revision of git")
    known.add_argument("--baseline", type=Path, metavar="FILE", help="the baseline, instead of .cfglint-baseline.json")
    known.add_argument("--no-baseline", action="store_true", help="report what the baseline lists, too")

    output = parser.add_argument_group("output")
    output.add_argument(
        "--format",
        action="append",
        type=_format,
        metavar="FORMAT[=FILE]",
        help=f"{', '.join(_values(Format))}; with =FILE also written there (repeatable)",
    )
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write the report there instead of to stdout")
    output.add_argument(
        "--color", choices=_values(ColorChoice), default="auto", help="auto (default), always, or never"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="print findings only")
    output.add_argument("--fail-on", choices=_values(FailOn), help="exit 1 from this severity on (default: error)")

    work = parser.add_argument_group("how to work")
    work.add_argument("--confirm", action="store_true", help="have cargo build each witness (runs code)")
    work.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")
    mend.add_arguments(parser.add_argument_group("repairs"))


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    config = configure(options)
    from cfglint.cli.progress import progress_bar
    from cfglint.cli.reports import write_reports

    with progress_bar() as progress:
        config = replace(config, progress=progress)
        import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)
        from cfglint.review import reviewed

        analysis = pipeline.analyze(config)
        report = reviewed(pipeline.run(analysis), analysis)
        if config.confirm:
            from cfglint.cargo.confirm import confirm

            report = replace(report, findings=confirm(report.findings, analysis.workspace_root, progress=progress))
        left = mend.run(options, analysis, report) if options.diff or options.fix else report
    if left is None:
        return exit_status(report, config.fail_on)
    report = left
    write_reports(report, config, analysis.workspace_root)
    return exit_status(report, config.fail_on)


def configure(options: argparse.Namespace) -> Config:
    """The Config of a command line and of the settings that apply where it points.

    Raises UsageError and ConfigError.
    """
    to_stdout = [format_ for format_, file in options.format or () if file is None]
    if len(to_stdout) > 1:
        raise UsageError(f"`--format {to_stdout[1].value}` needs a file: `--format {to_stdout[1].value}=FILE`")
    config = Config(
        path=options.path,
        manifest_path=options.manifest_path,
        packages=tuple(options.package or ()),
        narrowing=narrowing(options),
        targets=tuple(options.target or ()),
        kinds=frozenset() if options.all_targets else frozenset(options.kinds or ()),
        format=to_stdout[0] if to_stdout else Format.TEXT,
        fail_on=FailOn(options.fail_on or "error"),
        color=ColorChoice(options.color),
        select=codes(*options.select or ()),
        ignore=codes(*options.ignore or ()),
        levels=options.levels,
        baseline=options.baseline,
        without_baseline=options.no_baseline,
        since=options.since,
        confirm=options.confirm,
        output_file=options.output_file,
        outputs=tuple((format_, file) for format_, file in options.format or () if file is not None),
        jobs=check_jobs(options.jobs),
        quiet=options.quiet,
    )
    if not config.start.exists():
        raise UsageError(f"no such file or directory: {config.start}")
    given = {
        "format": to_stdout,
        "fail_on": options.fail_on,
        "select": options.select,
        "ignore": options.ignore,
        "targets": options.target,
    }
    from cfglint.settings.finding import find_settings

    return with_settings(config, find_settings(config.start), given=[name for name, value in given.items() if value])


def exit_status(report: Report, fail_on: FailOn) -> int:
    """1 if a finding stands at or above the threshold. What cargo has refuted does not stand."""
    from cfglint.finding import Confirmation, Severity

    if fail_on is FailOn.NEVER:
        return SUCCESS
    threshold = Severity(fail_on.value).rank
    standing = (finding for finding in report.findings if finding.confirmation is not Confirmation.REFUTED)
    return FINDINGS if any(finding.severity.rank <= threshold for finding in standing) else SUCCESS


def _format(text: str) -> tuple[Format, Path | None]:
    from cfglint.cli.reports import format_and_file

    try:
        return format_and_file(text)
    except UsageError as error:
        raise argparse.ArgumentTypeError(str(error)) from error


def _values(kind: type[Format | FailOn | ColorChoice]) -> list[str]:
    return [member.value for member in kind]
