"""Calls of palmette on trees as users make them, beside others, with goals: one run, one table.

    python benches/tree_calls.py [--quick] [--threads 1 2] [--clock processor] [--write docs/benchmarks.md]

Contestants take turns on the same input and the best turn counts; all answers are compared. A
ratio is a time over another of the same run. On a machine that others use, too, processor time is
the better clock for one thread. higra numbers vertices with leaves first and children before parents;
it gets its own order, prepared beforehand. On shuffled labels it must move values there and answers
back, as we must. The loop is what one would write in C, compiled by numba, over parents that come
first; for shuffled labels over an order that was made beforehand. It checks nothing; our sums note
overflow.

A floor is what must be done at least: the bytes of parents, values and answers at the speed of a copy;
two gathers if labels are shuffled; on a path, a chain of additions that wait for each other (numpy's
cumsum); and a call of the smallest tree.
"""

import argparse
import pathlib
import time

import higra
import numba
import numpy as np

import palmette

SHAPES = ["random", "path", "star", "caterpillar", "perfect", "preferential", "phylogeny", "double-broom"]

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


def best(works, seconds, clock=time.perf_counter):
    """The best time of each work, in turns, for about so many seconds in all."""
    times = {name: [] for name in works}
    end = time.perf_counter() + seconds
    turn = 0
    while turn < 3 or (time.perf_counter() < end and turn < 1000):
        for name, work in works.items():
            start = clock()
            work()
            times[name].append(clock() - start)
        turn += 1
    return {name: min(found) for name, found in times.items()}


@numba.njit
def loop_up(parents, values, out):
    out[:] = values
    for v in range(len(parents) - 1, -1, -1):
        p = parents[v]
        if p >= 0:
            out[p] += out[v]


@numba.njit
def loop_down(parents, values, out):
    for v in range(len(parents)):
        p = parents[v]
        out[v] = values[v] + (out[p] if p >= 0 else 0)


@numba.njit
def order_up(order, parents, values, out):
    out[:] = values
    for i in range(len(order) - 1, -1, -1):
        v = order[i]
        p = parents[v]
        if p >= 0:
            out[p] += out[v]


@numba.njit
def order_down(order, parents, values, out):
    for v in order:
        p = parents[v]
        out[v] = values[v] + (out[p] if p >= 0 else 0)


def leaves_first(parents, order):
    """higra's tree and the number there of every vertex; `order` has parents first."""
    n = len(parents)
    inner = np.zeros(n, bool)
    inner[parents[parents >= 0]] = True
    place = np.empty(n, np.int64)
    place[order] = np.arange(n)
    number = np.empty(n, np.int64)
    number[np.lexsort((-place, inner))] = np.arange(n)
    theirs = np.empty(n, np.int64)
    below = parents >= 0
    theirs[number[below]] = number[parents[below]]
    theirs[number[~below]] = number[~below]
    return higra.Tree(theirs), number


def parents_of(shape, n, labels):
    """Parents of a shape with labels in preorder, with parents first, or shuffled."""
    tree = palmette.Tree.generate(f"{shape}:{n}", seed=1)
    parents, order = np.asarray(tree.parents), np.asarray(tree.preorder)
    n = len(parents)
    if labels == "shuffled":
        number = np.random.default_rng(3).permutation(n)
    elif labels == "preorder":
        number = np.empty(n, np.int64)
        number[order] = np.arange(n)
    else:
        depth = np.asarray(tree.depth())
        number = np.empty(n, np.int64)
        number[np.argsort(depth, kind="stable")] = np.arange(n)
    found = np.full(n, -1)
    below = parents >= 0
    found[number[below]] = number[parents[below]]
    return found


def grid(sizes, shapes, kinds, threads, seconds, clock):
    rows = []
    alone = palmette.Tree.from_parents(np.array([-1]))
    value, out = np.ones(1), np.empty(1)
    empty = best({"call": lambda: alone.rootfix(value, out=out)}, 0.1, clock)["call"]
    for n in sizes:
        for shape in shapes:
            for labels in ["preorder", "parents first", "shuffled"]:
                parents = parents_of(shape, n, labels)
                tree = palmette.Tree.from_parents(parents)
                order = np.asarray(tree.preorder)
                small = parents.astype(np.int32)
                gather = order.astype(np.int64)
                theirs, number = leaves_first(parents, order)
                for kind in kinds:
                    values = np.random.default_rng(2).integers(0, 100, len(parents)).astype(kind)
                    for count in threads:
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
            "higra": moved if shuffled else pass_of_higra,
        }
        if shuffled:
            works["gathers"] = lambda: (
                np.take(wide, gather, out=out, mode="clip"),
                np.take(sorted_values, gather, out=copy, mode="clip"))
        if shape == "path":
            works["chain"] = lambda: np.cumsum(wide, out=copy)
        expected = call(values).copy()
        loop(*given, values, copy)
        np.testing.assert_allclose(copy, expected, rtol=1e-4)
        np.testing.assert_allclose(pass_of_higra()[number], expected, rtol=1e-4)
        times = best(works, seconds, clock)
        # A copy moves values and answers; a pass also reads parents, of four bytes.
        size = wide.dtype.itemsize
        times["floor"] = max(
            times["write"] * (2 * size + 4) / (2 * size),
            times.get("gathers", 0),
            times.get("chain", 0),
            empty,
        )
        found.append((*name, way, {key: t / n * 1e9 for key, t in times.items()}))
    return found


def table(rows):
    lines = [
        "| shape | labels | vertices | type | threads | pass | call, ns | into `out` | in preorder | higra "
        "| loop | floor | of the best other | of the floor |",
        "|---|---|---:|---|---:|---|---:|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for shape, labels, n, kind, threads, way, t in rows:
        other = min(t["higra"], t["loop"])
        lines.append(
            f"| {shape} | {labels} | {n:,} | {kind} | {threads} | {way} | {t['call']:.2f} "
            f"| {t['out']:.2f} | {t['pass']:.2f} | {t['higra']:.2f} | {t['loop']:.2f} "
            f"| {t['floor']:.2f} | {t['out'] / other:.2f} | {t['out'] / t['floor']:.2f} |")
    return lines


def goals(rows):
    """The goals, the worst that was measured, and what there is to gain where one is missed."""
    lines = ["| goal | wanted | worst | median | where | call there, ns | floor there, ns |",
             "|---|---:|---:|---:|---|---:|---:|"]

    def add(what, wanted, of, rows):
        if not rows:
            return
        found = [(of(r[-1]), r) for r in rows]
        value, at = max(found, key=lambda x: x[0])
        middle = np.median([f for f, _ in found])
        lines.append(
            f"| {what} | {wanted} | {value:.2f} | {middle:.2f} | {' '.join(map(str, at[:-1]))} "
            f"| {at[-1]['out']:.2f} | {at[-1]['floor']:.2f} |")

    in_order = [r for r in rows if r[1] != "shuffled"]
    shuffled = [r for r in rows if r[1] == "shuffled"]
    users = [r for r in in_order if r[2] >= 20_000 and r[3] in ("f8", "i8") and r[4] == 1]
    add("labels in preorder or parents first, from 20,000 vertices: call of higra's", "≤ 1.0",
        lambda t: t["call"] / t["higra"], users)
    add("… of the pass in preorder and one write", "≤ 1.5",
        lambda t: t["out"] / (t["pass"] + t["write"]), users)
    add("shuffled labels: call of two gathers", "≤ 2.2", lambda t: t["out"] / t["gathers"], shuffled)
    add("call of the best other", "≤ 1.0, median ≤ 0.5",
        lambda t: t["out"] / min(t["higra"], t["loop"]), rows)
    for n in sorted({r[2] for r in rows}):
        some = [r for r in rows if r[2] == n]
        add(f"… of {n:,} vertices", "≤ 1.0", lambda t: t["out"] / min(t["higra"], t["loop"]), some)
    largest = [r for r in rows if r[2] >= 9_000_000]
    add("10^7 vertices: call of the floor", "≤ 2", lambda t: t["out"] / t["floor"], largest)
    return lines


def columns(n, seconds, clock):
    """Sums of many columns in one call."""
    lines = ["| vertices | labels | pass | columns | ns per vertex | of one column | of a copy of the matrix "
             "| copy, of one column |", "|---:|---|---|---:|---:|---:|---:|---:|"]
    for labels in ["preorder", "parents first", "shuffled"]:
        tree = palmette.Tree.from_parents(parents_of("random", n, labels))
        for way in ["leaffix", "rootfix"]:
            one, call = None, getattr(tree, way)
            for c in [1, 2, 4, 16, 64]:
                values = np.random.default_rng(1).random((n, c) if c > 1 else n)
                out = np.empty_like(values)
                t = best({"x": lambda: call(values, out=out, threads=1),
                          "copy": lambda: np.copyto(out, values)}, seconds, clock)
                ours, copy = t["x"] / n * 1e9, t["copy"] / n * 1e9
                one = one or ours
                lines.append(f"| {n:,} | {labels} | {way} | {c} | {ours:.1f} | {ours / one:.1f} "
                             f"| {ours / copy:.1f} | {copy / one:.1f} |")
    return lines


def pairs(sizes, seconds, clock):
    """Lowest common ancestors of a million pairs."""
    lines = ["| vertices | `tree.lca`, ns per pair | `tree.distance` | higra |", "|---:|---:|---:|---:|"]
    for n in sizes:
        parents = parents_of("random", n, "shuffled")
        tree = palmette.Tree.from_parents(parents)
        theirs, number = leaves_first(parents, np.asarray(tree.preorder))
        fast = higra.LCAFast(theirs)
        u, v = np.random.default_rng(5).integers(0, n, (2, 1_000_000))
        a, b = number[u], number[v]
        tree.lca(u[:1], v[:1])
        assert (number[tree.lca(u, v)] == fast.lca(a, b)).all()
        t = best({"lca": lambda: tree.lca(u, v, threads=1),
                  "distance": lambda: tree.distance(u, v, threads=1),
                  "higra": lambda: fast.lca(a, b)}, seconds, clock)
        lines.append(f"| {n:,} | " + " | ".join(f"{t[k] * 1e3:.1f}" for k in t) + " |")
    return lines


def small(seconds, clock):
    """What a call costs beyond the computation."""
    tree = palmette.Tree.from_parents(parents_of("random", 1000, "parents first"))
    values, out = np.random.default_rng(1).random(1000), np.empty(1000)
    t = best({"call": lambda: tree.leaffix(values), "out": lambda: tree.leaffix(values, out=out),
              "lca": lambda: tree.lca(3, 900)}, seconds, clock)
    return [f"| {k} | {v * 1e6:.2f} |" for k, v in t.items()]


def write(path, section, lines):
    """Puts lines between the marks of a section in a file."""
    text = pathlib.Path(path).read_text()
    begin, end = f"<!-- {section} -->\n", f"<!-- /{section} -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    pathlib.Path(path).write_text(before + begin + "\n".join(["", *lines, ""]) + end + after)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--threads", type=int, nargs="*", default=[1])
    parser.add_argument("--clock", choices=CLOCKS, default="wall")
    parser.add_argument("--seconds", type=float, default=0.4)
    parser.add_argument("--sizes", type=float, nargs="*")
    parser.add_argument("--shapes", nargs="*")
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    quick = arguments.quick
    sizes = [int(n) for n in arguments.sizes or ([1000] if quick else [1e3, 2e4, 1e5, 1e6, 1e7])]
    shapes = arguments.shapes or (SHAPES[:2] if quick else SHAPES)
    kinds = arguments.kinds or (["f8"] if quick else ["f8", "i8", "f4", "i4"])
    clock = CLOCKS[arguments.clock]
    if arguments.clock == "processor" and arguments.threads != [1]:
        parser.error("processor time says how fast one thread is; use --clock wall for several")
    seconds = 0.02 if quick else arguments.seconds
    rows = grid(sizes, shapes, kinds, arguments.threads, seconds, clock)
    sections = {
        "calls": table(rows),
        "call-goals": goals(rows),
        "columns": columns(1000 if quick else 1_000_000, seconds, clock),
        "pairs": pairs([1000] if quick else [1_000_000, 10_000_000], 2 * seconds, clock),
        "small-calls": ["| call, 1,000 vertices | µs |", "|---|---:|", *small(0.3, clock)],
    }
    for section, lines in sections.items():
        print("\n".join(lines), "\n")
        if arguments.write:
            write(arguments.write, section, lines)


if __name__ == "__main__":
    main()
