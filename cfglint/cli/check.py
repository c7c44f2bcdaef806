"""`cfglint check`: decide every feature combination and report what does not hold.

Nothing of the workspace is run unless `--confirm` asks for it.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from cfglint.cli.exit_codes import FINDINGS, SUCCESS
from cfglint.cli.output import wants_color, write
from cfglint.config import (
    ColorChoice,
    Config,
    FailOn,
    Format,
    Level,
    check_jobs,
    did_you_mean,
    find_settings,
    with_settings,
)
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.finding import Report


class _AddLevel(argparse.Action):
    """Appends (code, level) to `levels`, so that `-A`, `-W` and `-D` keep their order."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: str | Sequence[Any] | None,
        option_string: str | None = None,
    ) -> None:
        del parser, option_string
        codes = tuple((code, self.const) for code in codes_in(str(values)))
        namespace.levels = (*namespace.levels, *codes)


def add_parser(commands: argparse._SubParsersAction[argparse.ArgumentParser]) -> None:
    """Describe the command."""
    parser = commands.add_parser(
        "check",
        help="report references that fail in some feature combination",
        description="Report every reference that some feature combination compiles while what it names is configured out.",
        allow_abbrev=False,
    )
    parser.set_defaults(run=run, levels=())
    parser.add_argument(
        "path", nargs="?", type=Path, default=Path(), metavar="PATH", help="package or workspace (default: .)"
    )

    packages = parser.add_argument_group("what to check")
    packages.add_argument("-p", "--package", action="append", metavar="NAME", help="only this member (repeatable)")
    packages.add_argument("--manifest-path", type=Path, metavar="FILE", help="path to a Cargo.toml, instead of PATH")
    packages.add_argument("--target", action="append", metavar="TRIPLE", help="decide for this target (repeatable)")

    rules = parser.add_argument_group("rules")
    rules.add_argument("--select", action="append", metavar="CODES", help="only these rules; a prefix selects several")
    rules.add_argument("--ignore", action="append", metavar="CODES", help="not these rules")
    rules.add_argument("-A", dest="levels", action=_AddLevel, const=Level.ALLOW, metavar="CODE", help="allow a rule")
    rules.add_argument(
        "-W", dest="levels", action=_AddLevel, const=Level.WARN, metavar="CODE", help="make it a warning"
    )
    rules.add_argument("-D", dest="levels", action=_AddLevel, const=Level.DENY, metavar="CODE", help="make it an error")

    output = parser.add_argument_group("output")
    output.add_argument("--format", choices=_values(Format), help="text (default), concise, or json")
    output.add_argument("--output-file", type=Path, metavar="FILE", help="write the report there instead of to stdout")
    output.add_argument(
        "--color", choices=_values(ColorChoice), default="auto", help="auto (default), always, or never"
    )
    output.add_argument("-q", "--quiet", action="store_true", help="print findings only")
    output.add_argument("--fail-on", choices=_values(FailOn), help="exit 1 from this severity on (default: error)")

    work = parser.add_argument_group("how to work")
    work.add_argument(
        "--confirm", action="store_true", help="build each finding's witness with cargo (runs the project)"
    )
    work.add_argument("-j", "--jobs", type=int, metavar="N", help="processes to read sources with")


def run(options: argparse.Namespace) -> int:
    """Run the command; returns the exit status."""
    config = configure(options)
    from cfglint.cli.progress import progress_bar
    from cfglint.levels import apply_levels
    from cfglint.report import Presentation, render

    with progress_bar() as progress:
        config = replace(config, progress=progress)
        import cfglint.pipeline as pipeline  # noqa: PLR0402 (mypy does not find the submodule otherwise)

        analysis = pipeline.analyze(config)
        report = apply_levels(pipeline.run(analysis), config)
        if config.confirm:
            from cfglint.cargo.confirm import confirm

            report = replace(report, findings=confirm(report.findings, analysis.workspace_root, progress=progress))
    in_color = wants_color(config.color, to_terminal=config.output_file is None and sys.stdout.isatty())
    presentation = Presentation(analysis.workspace_root, in_color=in_color, quiet=config.quiet)
    write(render(report, config.format, presentation), config.output_file)
    return exit_status(report, config.fail_on)


def configure(options: argparse.Namespace) -> Config:
    """The Config of a command line and of the settings that apply where it points.

    Raises UsageError and ConfigError.
    """
    config = Config(
        path=options.path,
        manifest_path=options.manifest_path,
        packages=tuple(options.package or ()),
        targets=tuple(options.target or ()),
        format=Format(options.format or "text"),
        fail_on=FailOn(options.fail_on or "error"),
        color=ColorChoice(options.color),
        select=codes_in(*options.select or ()),
        ignore=codes_in(*options.ignore or ()),
        levels=options.levels,
        confirm=options.confirm,
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
    config = with_settings(config, find_settings(config.start), given=[name for name, value in given.items() if value])
    return with_codes(config)


def exit_status(report: Report, fail_on: FailOn) -> int:
    """1 if a finding stands at or above the threshold. What cargo has refuted does not stand."""
    from cfglint.finding import Confirmation, Severity

    if fail_on is FailOn.NEVER:
        return SUCCESS
    threshold = Severity(fail_on.value).rank
    standing = (finding for finding in report.findings if finding.confirmation is not Confirmation.REFUTED)
    return FINDINGS if any(finding.severity.rank <= threshold for finding in standing) else SUCCESS


def with_codes(config: Config) -> Config:
    """The config with rule names turned into codes; a word that is neither a name nor the beginning of a code is refused."""
    words = {*config.select, *config.ignore, *(word for word, _ in config.levels)}
    if not words:
        return config
    from cfglint.rulebook import rulebook

    codes = {rule.name: rule.code for rule in rulebook()}
    for word in sorted(words):
        if word not in codes and not any(code.startswith(word) for code in codes.values()):
            raise UsageError(f"unknown rule `{word}`{did_you_mean(word, (*codes, *codes.values()))}")

    def named(words: Iterable[str]) -> tuple[str, ...]:
        return tuple(codes.get(word, word) for word in words)

    levels = tuple((codes.get(word, word), level) for word, level in config.levels)
    return replace(config, select=named(config.select), ignore=named(config.ignore), levels=levels)


def codes_in(*values: str) -> tuple[str, ...]:
    """The words of comma-separated lists; codes in upper case, names in lower."""
    words = [word.strip() for value in values for word in value.split(",")]
    return tuple(
        word.upper() if word[:3].upper() == "CFG" and "-" not in word else word.lower() for word in words if word
    )


def _values(kind: type[Format | FailOn | ColorChoice]) -> list[str]:
    return [member.value for member in kind]
