"""Calls of tree_calls.py beside the grid: many columns, pairs of vertices, small trees."""

import numpy as np

import palmette
from tree_contestants import best, higra, leaves_first, parents_of

def verdict(wanted, value):
    return "yes" if value <= wanted else "no"


#: What many columns are measured with, and the most that so many may take of the time of one.
COLUMNS = {1: None, 2: None, 4: None, 16: 6.0, 64: None}


def columns(n, seconds, clock):
    """Sums of many columns in one call. The floor is a copy of the matrix."""
    lines = ["| vertices | labels | pass | columns | ns per vertex | of one column | wanted | holds "
             "| of a copy of the matrix | copy, of one column |",
             "|---:|---|---|---:|---:|---:|---:|---|---:|---:|"]
    for labels in ["preorder", "parents first", "shuffled"]:
        tree = palmette.Tree.from_parents(parents_of("random", n, labels))
        for way in ["leaffix", "rootfix"]:
            one, call = None, getattr(tree, way)
            for c, most in COLUMNS.items():
                values = np.random.default_rng(1).random((n, c) if c > 1 else n)
                out = np.empty_like(values)
                t = best({"x": lambda: call(values, out=out, threads=1),
                          "copy": lambda: np.copyto(out, values)}, seconds, clock)
                ours, copy = t["x"] / n * 1e9, t["copy"] / n * 1e9
                one = one or ours
                goal = f"≤ {most} | {verdict(most, ours / one)}" if most else " | "
                lines.append(f"| {n:,} | {labels} | {way} | {c} | {ours:.1f} | {ours / one:.1f} "
                             f"| {goal} | {ours / copy:.1f} | {copy / one:.1f} |")
    return lines


def pairs(sizes, seconds, clock):
    """Lowest common ancestors of a million pairs. The floor is what a pair cannot do without: both
    vertices are looked up at random, and so is the answer's name."""
    lines = ["| vertices | `tree.lca`, ns per pair | `tree.distance` | higra | of higra's | wanted "
             "| holds | three gathers | of the gathers |", "|---:|---:|---:|---:|---:|---:|---|---:|---:|"]
    for n in sizes:
        parents = parents_of("random", n, "shuffled")
        tree = palmette.Tree.from_parents(parents)
        u, v = np.random.default_rng(5).integers(0, n, (2, 1_000_000))
        place, to = np.asarray(tree.preorder).astype(np.int64), np.empty(len(u), np.int64)
        lowest = tree.lca(u, v)
        works = {"lca": lambda: tree.lca(u, v, threads=1),
                 "distance": lambda: tree.distance(u, v, threads=1),
                 "gathers": lambda: [np.take(place, x, out=to, mode="clip") for x in (u, v, lowest)]}
        if higra:
            theirs, number = leaves_first(parents, np.asarray(tree.preorder))
            fast = higra.LCAFast(theirs)
            a, b = number[u], number[v]
            assert (number[lowest] == fast.lca(a, b)).all()
            works["higra"] = lambda: fast.lca(a, b)
        t = {name: x * 1e3 for name, x in best(works, seconds, clock).items()}
        peer = " | | |"
        if higra:
            ratio = t["lca"] / t["higra"]
            peer = f"{t['higra']:.1f} | {ratio:.2f} | ≤ 1.0 | {verdict(1.0, ratio)}"
        lines.append(f"| {n:,} | {t['lca']:.1f} | {t['distance']:.1f} | {peer} | {t['gathers']:.1f} "
                     f"| {t['lca'] / t['gathers']:.1f} |")
    return lines


#: What a call may cost beyond the computation, µs.
SMALL = 5.0


def small(seconds, clock):
    """What a call costs beyond the computation: that of a tree of one vertex, which has none."""
    found = []
    for n in [1000, 1]:
        parents = parents_of("random", n, "parents first") if n > 1 else np.array([-1])
        tree = palmette.Tree.from_parents(parents)
        values, out = np.random.default_rng(1).random(n), np.empty(n)
        works = {"`tree.leaffix(values)`": lambda: tree.leaffix(values),
                 "`tree.leaffix(values, out=out)`": lambda: tree.leaffix(values, out=out),
                 "`tree.lca(u, v)`": lambda: tree.lca(0, n - 1)}
        found.append(best(works, seconds, clock))
    return ["| call | 1,000 vertices, µs | one vertex, µs: the call alone | wanted | holds |",
            "|---|---:|---:|---:|---|",
            *(f"| {k} | {t * 1e6:.2f} | {found[1][k] * 1e6:.2f} | ≤ {SMALL} "
              f"| {verdict(SMALL, found[1][k] * 1e6)} |" for k, t in found[0].items())]
