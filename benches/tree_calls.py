"""Calls of palmette on trees as users make them, beside others, with goals: one run, one table.

    python benches/tree_calls.py [SECTION...] [--quick] [--threads 1 2] [--clock processor]
        [--write docs/benchmarks.md] [--rows FILE]

Sections are grid, columns, pairs and small; all of them when none is named. A grid can be measured in
pieces, such as one of its sizes at a time: with --rows its rows join those of earlier pieces in a file, and
the tables are of all.

Contestants take turns on the same input and the best turn counts; all answers are compared. A
ratio is a time over another of the same run. On a machine that others use, too, processor time is
the better clock for one thread. higra numbers vertices with leaves first and children before parents;
it gets its own order, prepared beforehand. On shuffled labels it must move values there and answers
back, as we must. The loop is what one would write in C, compiled by numba, over parents that come
first; for shuffled labels over an order that was made beforehand. It checks nothing; our sums note
overflow. Where higra is not installed, its column is empty. The grid takes five minutes; with --full it
has every combination, and 10^8 vertices where there is memory for them, for two shapes and one type.

A floor is what must be done at least: the bytes of parents, values and answers at the speed of a copy;
two gathers if labels are shuffled; on a path, a chain of additions that wait for each other; and a call of
the smallest tree.
"""

import argparse
import json
import pathlib

import numpy as np

import palmette
from tree_contestants import (
    CLOCKS, LABELS, SHAPES, best, chain, higra, leaves_first, loop_down, loop_up, order_down, order_up,
    parents_of)
from tree_more_calls import columns, pairs, small
from tree_tables import LARGEST, goals, shown, sizes_table, table, write_between

#: Bytes per vertex that the grid takes at its peak, all contestants together.
BYTES_PER_VERTEX = 240

#: What can be measured by itself.
SECTIONS = ["grid", "columns", "pairs", "small"]


def available():
    """Bytes that the machine can still give."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))


def plan(n, shape, kinds, threads, full):
    """Labels, types and numbers of threads for a shape of a size. Unless all is wanted, large trees of
    shapes other than random and path have two kinds of labels and one type; threads are tried where they
    are used, from a million vertices on, on these two shapes."""
    main = shape in SHAPES[:2]
    if n >= LARGEST:
        return LABELS, kinds[:1], threads
    if full:
        return LABELS, kinds, threads
    several = threads if main and n >= 1_000_000 else [t for t in threads if t == 1] or threads[:1]
    if n < 10_000_000:
        return LABELS, kinds, several
    return (LABELS, kinds[:2], several) if main else ([LABELS[0], LABELS[2]], kinds[:1], several)


def grid(sizes, shapes, kinds, threads, seconds, clock, full):
    rows = []
    alone = palmette.Tree.from_parents(np.array([-1]))
    value, out = np.ones(1), np.empty(1)
    empty = best({"call": lambda: alone.rootfix(value, out=out)}, 0.1, clock)["call"]
    for n in sizes:
        for shape in shapes[:2] if n >= LARGEST else shapes:
            some_labels, some_kinds, some_threads = plan(n, shape, kinds, threads, full)
            for labels in some_labels:
                parents = parents_of(shape, n, labels)
                tree = palmette.Tree.from_parents(parents)
                order = np.asarray(tree.preorder)
                small = parents.astype(np.int32)
                gather = order.astype(np.int64)
                theirs, number = leaves_first(parents, order)
                for kind in some_kinds:
                    values = np.random.default_rng(2).integers(0, 100, len(parents)).astype(kind)
                    for count in some_threads:
                        rows += row(
                            (shape, labels, len(parents), kind, count), tree, small, order, gather,
                            theirs, number, values, seconds, clock, empty)
                print(".", end="", flush=True)
    print()
    return rows


def row(name, tree, parents, order, gather, theirs, number, values, seconds, clock, empty):
    """Leaffix and rootfix of one input by all contestants."""
    n, (shape, labels, _, _, threads) = len(values), name
    # Sums of 32-bit integers have 64 bits.
    wide = values.astype(np.int64) if values.dtype == np.int32 else values
    sorted_values, out, copy = tree.in_preorder(wide), np.empty_like(wide), np.empty_like(wide)
    own = np.empty_like(wide)
    own[number] = wide
    if higra:
        leaves = own[: theirs.num_leaves()].copy()
        adds = higra.Accumulators.sum
    shuffled = labels == "shuffled"
    found = []
    for way in ["leaffix", "rootfix"]:
        call = getattr(tree, way)
        loop = (order_up if way == "leaffix" else order_down) if shuffled else (
            loop_up if way == "leaffix" else loop_down)
        given = (order, parents) if shuffled else (parents,)
        if way == "leaffix":
            def pass_of_higra():
                return higra.accumulate_and_add_sequential(theirs, own, leaves, adds)
        else:
            def pass_of_higra():
                return higra.propagate_sequential_and_accumulate(theirs, own, adds)

        def moved():
            own[number] = wide
            return np.take(pass_of_higra(), number, out=copy, mode="clip")

        works = {
            "call": lambda: call(values, threads=threads),
            "out": lambda: call(values, out=out, threads=threads),
            "pass": lambda: call(sorted_values, order="preorder", out=out, threads=threads),
            "loop": lambda: loop(*given, values, copy),
            "write": lambda: np.copyto(out, wide),
        }
        if higra:
            works["higra"] = moved if shuffled else pass_of_higra
        if shuffled:
            works["gathers"] = lambda: (
                np.take(wide, gather, out=out, mode="clip"),
                np.take(sorted_values, gather, out=copy, mode="clip"))
        if shape == "path":
            works["chain"] = lambda: chain(wide, copy)
        expected = call(values).copy()
        loop(*given, values, copy)
        np.testing.assert_allclose(copy, expected, rtol=1e-4)
        if higra:
            np.testing.assert_allclose(pass_of_higra()[number], expected, rtol=1e-4)
        times = best(works, seconds, clock, 5 if n > 2_000_000 else 9)
        # A copy moves values and answers; a pass also reads parents, of four bytes.
        size = wide.dtype.itemsize
        floors = {
            "bytes at the speed of a copy": times["write"] * (2 * size + 4) / (2 * size),
            "two gathers": times.get("gathers", 0),
            "a chain of additions": times.get("chain", 0),
            "an empty call": empty,
        }
        limit = max(floors, key=floors.get)
        times["floor"] = floors[limit]
        times.setdefault("higra", np.inf)
        times = {key: t / n * 1e9 for key, t in times.items()}
        found.append((*name, way, {**times, "limit": limit}))
    return found


def joined(path, rows):
    """These rows and those of earlier pieces that are not among them; the file has all."""
    earlier = json.loads(path.read_text()) if path.exists() else []
    found = {tuple(name): times for *name, times in [*earlier, *rows]}
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps([[*name, times] for name, times in found.items()]))
    return [(*name, times) for name, times in sorted(found.items(), key=lambda row: row[0][2])]


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("section", nargs="*", choices=[*SECTIONS, []])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, nargs="*", default=[1])
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--sizes", type=float, nargs="*")
    parser.add_argument("--shapes", nargs="*")
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--full", action="store_true", help="all labels, types and threads at all sizes")
    parser.add_argument("--rows", type=pathlib.Path)
    parser.add_argument("--write")
    arguments = parser.parse_args()
    quick = arguments.quick
    usual = [1e3, 2e4, 1e5, 1e6, 1e7]
    if arguments.full and available() < LARGEST * BYTES_PER_VERTEX:
        print(f"{LARGEST:,} vertices take {LARGEST * BYTES_PER_VERTEX / 1e9:.0f} GB, all contestants "
              f"together; {available() / 1e9:.0f} are available: left out")
    elif arguments.full:
        usual.append(LARGEST)
    sizes = [int(n) for n in arguments.sizes or ([1000] if quick else usual)]
    shapes = arguments.shapes or (SHAPES[:2] if quick else SHAPES)
    kinds = arguments.kinds or (["f8"] if quick else ["f8", "i8", "f4", "i4"])
    clock = CLOCKS[arguments.clock]
    if arguments.clock == "processor" and arguments.threads != [1]:
        parser.error("processor time says how fast one thread is; use --clock wall for several")
    seconds = 0.02 if quick else arguments.seconds
    wanted = arguments.section or SECTIONS
    sections = {}
    if "grid" in wanted:
        rows = grid(sizes, shapes, kinds, arguments.threads, seconds, clock, arguments.full)
        if arguments.rows:
            rows = joined(arguments.rows, rows)
        sections["calls"] = table(shown(rows) if arguments.write else rows)
        sections["call-sizes"] = sizes_table(rows)
        sections["call-goals"] = goals(rows)
    if "columns" in wanted:
        sections["columns"] = columns(1000 if quick else 1_000_000, seconds, clock)
    if "pairs" in wanted:
        sections["pairs"] = pairs([1000] if quick else [1_000_000, 10_000_000], 4 * seconds, clock)
    if "small" in wanted:
        sections["small-calls"] = small(0.02 if quick else 0.3, clock)
    for section, lines in sections.items():
        print("\n".join(lines), "\n")
        if arguments.write:
            write_between(arguments.write, section, lines)


if __name__ == "__main__":
    main()
