"""What tests share: trees at random, and the command line for comparison."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

# Before numpy is there: threads of its BLAS get into the way of ours.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import pytest
from hypothesis import settings

# The same random input in every run, so that a failure shows again.
settings.register_profile("same", derandomize=True)
settings.load_profile("same")

ROOT = Path(__file__).resolve().parents[3]
SHARED = ROOT.parent / "shared" / "data"


def random_parents(n: int, seed: int) -> np.ndarray:
    """A random recursive tree with its vertices shuffled."""
    random = np.random.default_rng(seed)
    order = random.permutation(n)
    parents = np.full(n, -1)
    for i in range(1, n):
        parents[order[i]] = order[random.integers(i)]
    return parents


def command() -> str:
    """The command line: PALMETTE names it, or cargo has built it."""
    named = os.environ.get("PALMETTE")
    if named:
        return named
    for profile in ("release", "debug"):
        path = ROOT / "target" / profile / "palmette"
        if path.exists():
            return str(path)
    found = shutil.which("palmette")
    assert found, "expected the command palmette: cargo build --package palmette-cli"
    return found


@pytest.fixture(scope="session")
def cli():
    """Runs the command line; returns its record, or with text=True what it prints."""
    program = command()

    def run(*arguments: Any, text: bool = False) -> Any:
        words = [str(word) for word in arguments]
        if not text:
            words.append("--json")
        done = subprocess.run([program, *words], capture_output=True, text=True, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout if text else json.loads(done.stdout)

    return run
