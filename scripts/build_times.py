#!/usr/bin/env python3
"""Builds the command from nothing, in each profile, and writes into docs/building.md what each crate
costs: `make build-times`. Times are of `cargo build --timings`: seconds that a crate was being built,
with two crates at a time on two cores."""

import json
import re
import resource
import shutil
import subprocess
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
FOLDER = ROOT / "target" / "build-times"
PAGE = ROOT / "docs" / "building.md"
# What is built for what; the first that matches counts.
PARTS = [
    ("ours: engines (core, tree, graph, mesh, spatial, io)", r"palmette-(core|tree|graph|mesh|spatial|io)$"),
    ("ours: façade, language, report", r"palmette(-language|-report|-vocabulary)?$"),
    ("ours: command line", r"palmette-cli$"),
    ("PNG pictures (resvg, fonts)", r"resvg|usvg|tiny-skia.*|read-fonts|skrifa|harfrust|font.*|kurbo|epaint.*"
     r"|image-webp|gif|zune-.*|imagesize|svgtypes|simplecss|unicode-.*|weezl|color_quant|roxmltree|xmlwriter"
     r"|data-url|rgb|pico-args|strict-num|float-cmp|arrayref|slotmap|memmap2|ttf-parser|polycool|siphasher"),
    ("zstd, in C", r"zstd.*|cc|shlex|find-msvc-tools|jobserver|pkg-config"),
    ("options and help (clap)", r"clap.*|anstyle.*|anstream|strsim|terminal_size|roff|colorchoice|utf8parse|is_terminal.*"),
    ("other dependencies", r".*"),
]


def built(profile):
    """Seconds by the clock, seconds of processors, and seconds by package."""
    shutil.rmtree(FOLDER, ignore_errors=True)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    start = time.monotonic()
    subprocess.run(
        ["cargo", "build", "--quiet", "--locked", "--package", "palmette-cli", "--timings"]
        + ["--profile", profile, "--target-dir", FOLDER],
        cwd=ROOT, check=True,
    )
    wall = time.monotonic() - start
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
    pages = sorted((FOLDER / "cargo-timings").glob("cargo-timing-*.html"))
    units = json.loads(re.search(r"UNIT_DATA = (\[.*?\]);", pages[0].read_text(), re.S).group(1))
    seconds = {}
    for unit in units:
        seconds[unit["name"]] = seconds.get(unit["name"], 0) + unit["duration"]
    shutil.rmtree(FOLDER)
    return wall, cpu, seconds


def table(columns):
    """Parts and the largest packages, a column for each profile."""
    lines = ["| | " + " | ".join(name for name, _ in columns) + " |", "|---|" + "---:|" * len(columns)]

    def row(name, of):
        lines.append(f"| {name} | " + " | ".join(f"{of(found):.0f}" for _, found in columns) + " |")

    row("seconds by the clock", lambda found: found[0])
    row("seconds of processors", lambda found: found[1])
    packages = sorted({name for _, found in columns for name in found[2]})
    part = {name: next(part for part, like in PARTS if re.fullmatch(like, name)) for name in packages}
    for title, _ in PARTS:
        row(title, lambda found: sum(s for name, s in found[2].items() if part[name] == title))
    first = columns[0][1][2]
    for name in sorted(first, key=first.get, reverse=True)[:16]:
        row(f"`{name}`", lambda found: found[2].get(name, 0))
    return "\n".join(lines)


def main():
    columns = [(title, built(profile)) for title, profile in
               [("release", "release"), ("dev (`make demo`)", "dev")]]
    text = PAGE.read_text()
    begin, end = "<!-- build-times -->", "<!-- /build-times -->"
    head, rest = text.split(begin)
    _, tail = rest.split(end)
    PAGE.write_text(f"{head}{begin}\n{table(columns)}\n{end}{tail}")
    print(table(columns))


if __name__ == "__main__":
    main()
