"""The benchmarks of calls run on small inputs, where all contestants must agree."""

import subprocess
import sys
from pathlib import Path

from conftest import command

BENCHES = Path(__file__).parents[3] / "benches"


def said(script, *arguments):
    line = [sys.executable, str(BENCHES / script), *map(str, arguments)]
    done = subprocess.run(line, capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_calls_have_goals_beside_them():
    found = said("tree_calls.py", "--quick")
    for goal in ["call of two gathers | ≤ 2.2", "call of the best other | ≤ 1.0, median ≤ 0.5",
                 "| 16 |", "≤ 6.0", "≤ 5.0"]:
        assert goal in found, goal


def test_the_command_has_its_phase_beside_the_library():
    found = said("tree_command.py", command(), "--rows", 300, "--vertices", 20_000, "--turns", 1)
    assert found.count("≤ 1.2") == 6 and "DuckDB" in found
