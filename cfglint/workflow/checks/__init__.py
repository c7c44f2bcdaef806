"""The checks of CI, in the order of their codes. One file a rule; a check reads the survey and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.finding import Finding
from cfglint.workflow.checks.byte_equality_gate import byte_equality_gate
from cfglint.workflow.checks.drifted_list import drifted_list
from cfglint.workflow.checks.first_failure_stops import first_failure_stops
from cfglint.workflow.checks.hidden_diagnostics import hidden_diagnostics
from cfglint.workflow.checks.nonexistent_ci_feature import nonexistent_ci_feature
from cfglint.workflow.survey import Survey

CiCheck = Callable[[Survey], Iterator[Finding]]

CI_CHECKS: tuple[CiCheck, ...] = (
    nonexistent_ci_feature,
    first_failure_stops,
    hidden_diagnostics,
    byte_equality_gate,
    drifted_list,
)
