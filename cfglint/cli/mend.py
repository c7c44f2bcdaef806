"""`check --diff` and `check --fix`: the repairs as a patch, or applied.

Only what has been tried in memory is written, and only where nothing uncommitted would be lost.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING

from cfglint.cli.output import write
from cfglint.config import Format
from cfglint.errors import UsageError

if TYPE_CHECKING:
    from cfglint.finding import Report
    from cfglint.mending import Mended
    from cfglint.nameres.analysis import Analysis

_MOST = 3


def add_arguments(group: argparse._ArgumentGroup) -> None:
    """The options of `check` that mend."""
    group.add_argument("--diff", action="store_true", help="print the repairs as a patch")
    group.add_argument("--fix", action="store_true", help="apply repairs that cannot be wrong")
    group.add_argument("--allow-dirty", action="store_true", help="fix files with uncommitted changes, too")
    group.add_argument("--allow-no-vcs", action="store_true", help="fix where there is no git repository, too")


def run(options: argparse.Namespace, analysis: Analysis, report: Report) -> Report | None:
    """Do what was asked for. Returns the report that is left to print, None where all has been printed."""
    from cfglint.mending import mend, with_repairs

    as_json = analysis.config.format is Format.JSON
    findings = with_repairs(analysis, report.findings, most=_MOST if as_json else 1)
    report = replace(report, findings=findings)
    if options.fix:
        result = mend(analysis, findings, guesses=False)
        _write(options, analysis, result)
        return replace(report, findings=result.left, summary=replace(report.summary, findings=len(result.left)))
    if as_json:
        return report
    result = mend(analysis, findings, guesses=True)
    write(result.patch, analysis.config.output_file)
    print(_said(result, "this patch mends"), file=sys.stderr)
    return None


def _write(options: argparse.Namespace, analysis: Analysis, result: Mended) -> None:
    if result.contents:
        from cfglint.cargo.worktree import NoRepositoryError, uncommitted
        from cfglint.fix import write_all

        try:
            dirty = () if options.allow_dirty else uncommitted(analysis.workspace_root, result.contents)
        except NoRepositoryError as error:
            if not options.allow_no_vcs:
                raise UsageError(f"{error}; what is overwritten could not be brought back (--allow-no-vcs)") from error
            dirty = ()
        if dirty:
            more = f" and {len(dirty) - 1} more" if len(dirty) > 1 else ""
            raise UsageError(f"{dirty[0]}{more} has uncommitted changes; commit them, or give --allow-dirty")
        before = {file: analysis.files.source(file) for file in result.contents}
        write_all(result.contents, before, analysis.workspace_root)
    print(_said(result, "mended"), file=sys.stderr)


def _said(result: Mended, verb: str) -> str:
    total = len(result.mended) + len(result.left)
    files = len(result.contents)
    return f"{verb} {len(result.mended)} of {total} findings in {files} {'file' if files == 1 else 'files'}"
