"""Calls of palmette on trees as users make them, beside others, with goals: one run, one table.

    python benches/tree_calls.py [--quick] [--threads 1] [--write docs/benchmarks.md]

Contestants take turns on the same input and the best turn counts; all answers are compared. A
ratio is a time over another of the same run. higra numbers vertices with leaves first and children
before parents; it gets its own order, prepared beforehand. The loop is what one would write in C,
compiled by numba, over parents that come first; for shuffled labels over an order that was made
beforehand. A floor is what the memory must do at least.
"""

import argparse
import pathlib
import time

import higra
import numba
import numpy as np

import palmette

SHAPES = ["random", "path", "star", "caterpillar", "perfect", "preferential", "binary"]


def best(works, seconds):
    """The best time of each work, in turns, for about so many seconds in all."""
    times = {name: [] for name in works}
    end = time.perf_counter() + seconds
    turn = 0
    while turn < 3 or (time.perf_counter() < end and turn < 1000):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name].append(time.perf_counter() - start)
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


def grid(sizes, shapes, kinds, threads, seconds):
    rows = []
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
                    rows += row(
                        (shape, labels, len(parents), kind), tree, small, order, gather, theirs,
                        number, values, threads, seconds)
                print(".", end="", flush=True)
    print()
    return rows


def row(name, tree, parents, order, gather, theirs, number, values, threads, seconds):
    """Leaffix and rootfix of one input by all contestants."""
    n = len(values)
    sorted_values, out, copy = tree.in_preorder(values), np.empty_like(values), np.empty_like(values)
    own = np.empty_like(values)
    own[number] = values
    leaves = own[: theirs.num_leaves()].copy()
    adds = higra.Accumulators.sum
    shuffled = name[1] == "shuffled"
    found = []
    for way in ["leaffix", "rootfix"]:
        call = getattr(tree, way)
        loop = (order_up if way == "leaffix" else order_down) if shuffled else (
            loop_up if way == "leaffix" else loop_down)
        given = (order, parents) if shuffled else (parents,)
        works = {
            "call": lambda: call(values, threads=threads),
            "out": lambda: call(values, out=out, threads=threads),
            "pass": lambda: call(sorted_values, order="preorder", out=out, threads=threads),
            "loop": lambda: loop(*given, values, copy),
            "write": lambda: np.copyto(out, values),
        }
        if way == "leaffix":
            works["higra"] = lambda: higra.accumulate_and_add_sequential(theirs, own, leaves, adds)
        else:
            works["higra"] = lambda: higra.propagate_sequential_and_accumulate(
                theirs, own, higra.Accumulators.sum)
        if shuffled:
            works["gathers"] = lambda: (
                np.take(values, gather, out=out, mode="clip"),
                np.take(sorted_values, gather, out=copy, mode="clip"))
        expected = call(values).copy()
        loop(*given, values, copy)
        np.testing.assert_allclose(copy, expected, rtol=1e-4)
        np.testing.assert_allclose(works["higra"]()[number], expected, rtol=1e-4)
        times = best(works, seconds)
        found.append((*name, way, {key: t / n * 1e9 for key, t in times.items()}))
    return found


def table(rows):
    lines = [
        "| shape | labels | vertices | type | pass | call, ns | into `out` | in preorder | higra | loop "
        "| two gathers | call / best other |",
        "|---|---|---:|---|---|---:|---:|---:|---:|---:|---:|---:|",
    ]
    for shape, labels, n, kind, way, t in rows:
        other = min(t["higra"], t["loop"])
        gathers = f"{t['gathers']:.1f}" if "gathers" in t else ""
        lines.append(
            f"| {shape} | {labels} | {n:,} | {kind} | {way} | {t['call']:.2f} | {t['out']:.2f} "
            f"| {t['pass']:.2f} | {t['higra']:.2f} | {t['loop']:.2f} | {gathers} "
            f"| {t['out'] / other:.2f} |")
    return lines


def goals(rows):
    """The goals, and the worst that was measured."""
    def worst(of, rows):
        found = [(of(r[5]), " ".join(map(str, r[:5]))) for r in rows]
        value, where = max(found)
        return f"{value:.2f} ({where}); median {np.median([f for f, _ in found]):.2f}"

    sorted_rows = [r for r in rows if r[1] != "shuffled"]
    shuffled = [r for r in rows if r[1] == "shuffled"]
    lines = ["| goal | worst |", "|---|---|"]
    if sorted_rows:
        lines.append("| labels in preorder or parents first: call ≤ 1.0 of higra | "
                     + worst(lambda t: t["call"] / t["higra"], sorted_rows) + " |")
        lines.append("| … ≤ 1.5 of the pass in preorder and one write | "
                     + worst(lambda t: t["out"] / (t["pass"] + t["write"]), sorted_rows) + " |")
    if shuffled:
        lines.append("| shuffled labels: call ≤ 2.2 of two gathers | "
                     + worst(lambda t: t["out"] / t["gathers"], shuffled) + " |")
    lines.append("| call ≤ 1.0 of the best other | "
                 + worst(lambda t: t["out"] / min(t["higra"], t["loop"]), rows) + " |")
    return lines


def columns(n, seconds):
    """Sums of many columns in one call."""
    lines = ["| vertices | labels | columns | ns per vertex | of one column |",
             "|---:|---|---:|---:|---:|"]
    for labels in ["preorder", "parents first", "shuffled"]:
        tree = palmette.Tree.from_parents(parents_of("random", n, labels))
        one = None
        for c in [1, 2, 4, 16, 64]:
            values = np.random.default_rng(1).random((n, c))
            out = np.empty_like(values)
            t = best({"x": lambda: tree.leaffix(values, out=out, threads=1)}, seconds)["x"] / n * 1e9
            one = one or t
            lines.append(f"| {n:,} | {labels} | {c} | {t:.1f} | {t / one:.1f} |")
    return lines


def pairs(sizes, seconds):
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
                  "higra": lambda: fast.lca(a, b)}, seconds)
        lines.append(f"| {n:,} | " + " | ".join(f"{t[k] * 1e3:.1f}" for k in t) + " |")
    return lines


def small(seconds):
    """What a call costs beyond the computation."""
    tree = palmette.Tree.from_parents(parents_of("random", 1000, "parents first"))
    values, out = np.random.default_rng(1).random(1000), np.empty(1000)
    t = best({"call": lambda: tree.leaffix(values), "out": lambda: tree.leaffix(values, out=out),
              "lca": lambda: tree.lca(3, 900)}, seconds)
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
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--sizes", type=float, nargs="*")
    parser.add_argument("--shapes", nargs="*")
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--write")
    arguments = parser.parse_args()
    quick = arguments.quick
    sizes = [int(n) for n in arguments.sizes or ([1000] if quick else [1e3, 2e4, 1e5, 1e6, 1e7])]
    shapes = arguments.shapes or (SHAPES[:2] if quick else SHAPES)
    kinds = arguments.kinds or (["f8"] if quick else ["f8", "i8", "f4"])
    rows = grid(sizes, shapes, kinds, arguments.threads, 0.02 if quick else 0.4)
    sections = {
        "calls": table(rows),
        "call-goals": goals(rows),
        "columns": columns(1000 if quick else 1_000_000, 0.05 if quick else 0.5),
        "pairs": pairs([1000] if quick else [1_000_000, 10_000_000], 0.05 if quick else 1.0),
        "small-calls": ["| call, 1,000 vertices | µs |", "|---|---:|", *small(0.3)],
    }
    for section, lines in sections.items():
        print("\n".join(lines), "\n")
        if arguments.write:
            write(arguments.write, section, lines)


if __name__ == "__main__":
    main()
