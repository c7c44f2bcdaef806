"""Where output goes and whether it is coloured.

Results go to stdout or to `--output-file`, everything else to stderr. A reader that stops reading (`| head`) is no
error and does not change the exit status.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Literal

from cfglint.config import ColorChoice
from cfglint.errors import CfglintError, ConfigError, UsageError


def prepare_streams() -> None:
    """Make stdout take every character: one that the encoding does not have is printed as an escape."""
    if isinstance(sys.stdout, io.TextIOWrapper):
        sys.stdout.reconfigure(errors="backslashreplace")


def write(text: str, file: Path | None) -> None:
    """Print `text` to `file`, or to stdout.

    Raises UsageError where the file cannot be written.
    """
    if file is not None:
        _write_file(text, file, "w")
        return
    with contextlib.suppress(BrokenPipeError):
        sys.stdout.write(text)
    flush()


def append(text: str, file: Path) -> None:
    """Add `text` to `file`.

    Raises UsageError where the file cannot be written.
    """
    _write_file(text, file, "a")


def flush() -> None:
    """Send what has been printed, if somebody still reads it."""
    try:
        sys.stdout.flush()
    except BrokenPipeError:
        _forget_stdout()


def wants_color(choice: ColorChoice, *, to_terminal: bool, environment: Mapping[str, str] | None = None) -> bool:
    """Whether to colour: `--color`, then CARGO_TERM_COLOR, then NO_COLOR and FORCE_COLOR, then the terminal.

    CARGO_TERM_COLOR is the Cargo book's (`term.color`); NO_COLOR counts when it is not empty.
    """
    environment = os.environ if environment is None else environment
    if choice is ColorChoice.AUTO:
        with contextlib.suppress(ValueError):
            choice = ColorChoice(environment.get("CARGO_TERM_COLOR", "auto"))
    if choice is not ColorChoice.AUTO:
        return choice is ColorChoice.ALWAYS
    if environment.get("NO_COLOR"):
        return False
    if environment.get("FORCE_COLOR", "0") not in ("", "0"):
        return True
    return to_terminal and environment.get("TERM") != "dumb"


def excerpt(error: CfglintError) -> tuple[str, ...]:
    """The line that an error in our own configuration is about, with a caret; nothing where there is none."""
    if not isinstance(error, ConfigError) or error.line is None or error.excerpt is None:
        return ()
    from cfglint.report.snippet import underlined

    shown = underlined(error.excerpt.line.encode(), error.line, error.excerpt.column, error.excerpt.end_column)
    margin = " " * len(str(error.line))
    return f"{margin} |", f"{error.line} | {shown.text}", f"{margin} | {' ' * shown.indent}{'^' * shown.mark}"


def _write_file(text: str, file: Path, mode: Literal["w", "a"]) -> None:
    try:
        with file.open(mode, encoding="utf-8", errors="backslashreplace", newline="\n") as stream:
            stream.write(text)
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) and error.strerror else error
        raise UsageError(f"cannot write {file}: {reason}") from error


def _forget_stdout() -> None:
    """Point stdout at nothing, so that the interpreter's last flush does not complain (Python docs, SIGPIPE)."""
    with contextlib.suppress(OSError, ValueError):
        nothing = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nothing, sys.stdout.fileno())
        os.close(nothing)
