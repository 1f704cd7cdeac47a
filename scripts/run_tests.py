#!/usr/bin/env python3
"""Builds all tests with cargo and runs their programs two at a time: few of them keep two cores busy.

usage: run_tests.py CARGO test OPTIONS…

What a program prints follows when it ends. Exit code 1 if one of them failed.
"""

import json
import os
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

#: Programs that take long come first, so that the last ones to run are short.
FIRST = ("cli", "all", "quick", "device")
AT_A_TIME = 2


def programs(cargo: list[str]) -> list[tuple[str, Path, str]]:
    """Name, folder and file of each program of tests, once they are built."""
    built = subprocess.run(
        [*cargo, "--no-run", "--message-format=json-render-diagnostics"], stdout=subprocess.PIPE, check=False
    )
    if built.returncode != 0:
        sys.exit(built.returncode)
    found = []
    for line in built.stdout.splitlines():
        message = json.loads(line)
        if message["reason"] == "compiler-artifact" and message["profile"]["test"] and message["executable"]:
            folder = Path(message["manifest_path"]).parent
            found.append((message["target"]["name"], folder, message["executable"]))
    return sorted(found, key=lambda program: (program[0] not in FIRST, program[0] != FIRST[0], program[2]))


def main() -> None:
    """Builds, runs, and says which failed."""
    printing = threading.Lock()
    failed = []

    def run(program: tuple[str, Path, str]) -> None:
        name, folder, file = program
        # As cargo runs them.
        environment = {**os.environ, "CARGO_MANIFEST_DIR": str(folder), "CARGO": sys.argv[1]}
        done = subprocess.run(
            [file], cwd=folder, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, check=False
        )
        where = f"{folder.name}: {name} ({Path(file).name})"
        with printing:
            print(f"     Running {where}", flush=True)
            sys.stdout.buffer.write(done.stdout)
            sys.stdout.flush()
            if done.returncode != 0:
                failed.append(f"{where}: exit code {done.returncode}")

    with ThreadPoolExecutor(AT_A_TIME) as pool:
        list(pool.map(run, programs(sys.argv[1:])))
    for one in failed:
        print(f"failed: {one}", file=sys.stderr)
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
