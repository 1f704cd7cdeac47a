"""Tables of what tree_calls.py measured: all calls, by size, and beside the goals."""

import pathlib

import numpy as np

from tree_contestants import SHAPES, higra

#: The largest trees of the grid.
LARGEST = 100_000_000


def other(t):
    """The best of the others."""
    return min(t["higra"], t["loop"])


def table(rows):
    lines = [
        "| shape | labels | vertices | type | threads | pass | call, ns | into `out` | in preorder | higra "
        "| loop | floor | of the best other | of the floor |",
        "|---|---|---:|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for shape, labels, n, kind, threads, way, t in rows:
        theirs = f"{t['higra']:.2f}" if higra else ""
        lines.append(
            f"| {shape} | {labels} | {n:,} | {kind} | {threads} | {way} | {t['call']:.2f} "
            f"| {t['out']:.2f} | {t['pass']:.2f} | {theirs} | {t['loop']:.2f} "
            f"| {t['floor']:.2f} | {t['call'] / other(t):.2f} | {t['call'] / t['floor']:.2f} |")
    return lines


def sizes_table(rows):
    """By shape and labels, and by size: the worst call of the best other, of all types, passes and
    numbers of threads; in brackets the median."""
    sizes = sorted({r[2] for r in rows if r[0] in SHAPES[:2]})
    near = {r[2]: min(sizes, key=lambda n: abs(n - r[2])) for r in rows}
    lines = ["| shape | labels | " + " | ".join(f"{n:,}" for n in sizes) + " |",
             "|---|---|" + "---:|" * len(sizes)]
    for shape, labels in dict.fromkeys((r[0], r[1]) for r in rows):
        cells = []
        for n in sizes:
            some = [r[-1]["call"] / other(r[-1]) for r in rows
                    if r[:2] == (shape, labels) and near[r[2]] == n]
            cells.append(f"{max(some):.2f} ({np.median(some):.2f})" if some else "")
        lines.append(f"| {shape} | {labels} | " + " | ".join(cells) + " |")
    return lines


def shown(rows):
    """The rows of the grid that the first table has: two shapes, two types, three sizes, one thread."""
    sizes = (20_000, 1_000_000, 10_000_000)
    return [r for r in rows
            if r[0] in SHAPES[:2] and r[2] in sizes and r[3] in ("f8", "i8") and r[4] == 1]


def goals(rows):
    """The goals, the worst that was measured, and what there is to gain where one is missed."""
    lines = ["| goal | wanted | worst | holds | median | where | call there, ns | floor there, ns "
             "| the floor is |", "|---|---:|---:|---|---:|---|---:|---:|---|"]

    verdicts = {True: "yes", False: "no"}

    def add(what, wanted, of, rows, middle_wanted=None):
        if not rows:
            return
        found = [(of(r[-1]), r) for r in rows]
        value, at = max(found, key=lambda x: x[0])
        middle = np.median([f for f, _ in found])
        holds = bool(value <= wanted and (middle_wanted is None or middle <= middle_wanted))
        text = f"≤ {wanted}" + (f", median ≤ {middle_wanted}" if middle_wanted else "")
        if wanted == np.inf:
            text, holds = "", ""
        lines.append(
            f"| {what} | {text} | {value:.2f} | {verdicts.get(holds, '')} | {middle:.2f} "
            f"| {' '.join(map(str, at[:-1]))} | {at[-1]['call']:.2f} | {at[-1]['floor']:.2f} "
            f"| {at[-1]['limit']} |")

    in_order = [r for r in rows if r[1] != "shuffled"]
    shuffled = [r for r in rows if r[1] == "shuffled"]
    users = [r for r in in_order if r[2] >= 20_000 and r[3] in ("f8", "i8") and r[4] == 1]
    if higra:
        add("labels in preorder or parents first, from 20,000 vertices: call of higra's", 1.0,
            lambda t: t["call"] / t["higra"], users)
    add("labels in preorder or parents first, from 20,000 vertices: call of the pass in preorder and "
        "one write", 1.5, lambda t: t["call"] / (t["pass"] + t["write"]), users)
    add("shuffled labels: call of two gathers", 2.2, lambda t: t["call"] / t["gathers"], shuffled)
    add("call of the best other", 1.0, lambda t: t["call"] / other(t), rows, 0.5)
    # What even the floor takes of the other's time: less cannot be reached.
    add("… the floor of the best other", np.inf, lambda t: t["floor"] / other(t), rows)
    for n in sorted({r[2] for r in rows}):
        add(f"… of {n:,} vertices", 1.0, lambda t: t["call"] / other(t), [r for r in rows if r[2] == n])
    largest = [r for r in rows if 9_000_000 <= r[2] < LARGEST]
    add("10^7 vertices: call of the floor", 2.0, lambda t: t["call"] / t["floor"], largest)
    return lines


def write_between(path, section, lines):
    """Puts lines between the marks of a section in a file."""
    text = pathlib.Path(path).read_text()
    begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    pathlib.Path(path).write_text(before + begin + "\n".join(["", *lines, ""]) + end + after)
