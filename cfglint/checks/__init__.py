"""The checks, in the order of their codes. One file a rule; a check reads the Analysis and yields findings."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from cfglint.checks.configured_out_item import configured_out_item
from cfglint.checks.configured_out_macro import configured_out_macro
from cfglint.checks.configured_out_member import configured_out_member
from cfglint.checks.dev_dependency_in_build import dev_dependency_in_build
from cfglint.checks.mismatched_members import mismatched_members
from cfglint.checks.mismatched_trait_impl import mismatched_trait_impl
from cfglint.checks.missing_dependency_feature import missing_dependency_feature
from cfglint.checks.missing_module_file import missing_module_file
from cfglint.checks.missing_optional_dependency import missing_optional_dependency
from cfglint.checks.missing_required_features import missing_required_features
from cfglint.checks.never_resolved_name import never_resolved_name
from cfglint.checks.overlapping_definitions import overlapping_definitions
from cfglint.checks.std_in_no_std import std_in_no_std
from cfglint.checks.uncovered_cfg_select import uncovered_cfg_select
from cfglint.checks.undeclared_cfg import undeclared_cfg
from cfglint.checks.undeclared_feature import undeclared_feature
from cfglint.finding import Finding
from cfglint.nameres.analysis import Analysis

Check = Callable[[Analysis], Iterator[Finding]]

CHECKS: tuple[Check, ...] = (
    configured_out_item,
    configured_out_macro,
    missing_optional_dependency,
    missing_dependency_feature,
    dev_dependency_in_build,
    configured_out_member,
    mismatched_members,
    mismatched_trait_impl,
    std_in_no_std,
    overlapping_definitions,
    missing_required_features,
    never_resolved_name,
    missing_module_file,
    uncovered_cfg_select,
    undeclared_feature,
    undeclared_cfg,
)
