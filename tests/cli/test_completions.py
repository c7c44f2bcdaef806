from __future__ import annotations

import os
import shutil
import subprocess

import pytest

from cfglint.cli.completions import SHELLS, data_file
from cfglint.cli.main import main
from tools.completions import generated


@pytest.mark.parametrize("shell", SHELLS)
def test_what_is_shipped_is_what_the_parser_says(shell: str, capsys: pytest.CaptureFixture[str]) -> None:
    now = generated(shell)
    if os.environ.get("CFGLINT_UPDATE") == "1":
        data_file(shell).write_text(now, "utf-8", newline="\n")
    assert main(["completions", shell]) == 0
    assert capsys.readouterr().out == now, "python -m tools.completions"


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash")
def test_bash_completes_commands_options_and_rules() -> None:
    def completed(*words: str) -> set[str]:
        script = f"""
source {data_file("bash")}
COMP_WORDS=({" ".join(words)}{" ''" if words[-1] == "" else ""}); COMP_CWORD={len(words) - 1}
_shtab_cfglint
printf '%s\\n' "${{COMPREPLY[@]}}"
"""
        done = subprocess.run(["bash", "-c", script], capture_output=True, text=True, timeout=60, check=True)
        return {line.strip() for line in done.stdout.splitlines() if line.strip()}

    assert completed("cfglint", "ba") == {"baseline"}
    assert "--since" in completed("cfglint", "check", "--s")
    assert completed("cfglint", "rule", "CFG90") == {"CFG900"}
    assert completed("cfglint", "check", "--format", "sa") == {"sarif"}


def test_a_shell_that_is_not_known(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as stopped:
        main(["completions", "tcsh"])
    assert stopped.value.code == 2
    assert "bash" in capsys.readouterr().err
