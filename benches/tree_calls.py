"""Calls of palmette on trees as users make them, beside others, with goals: one run, one table.

    python benches/tree_calls.py [--quick] [--threads 1 2] [--clock processor] [--write docs/benchmarks.md]

Contestants take turns on the same input and the best turn counts; all answers are compared. A
ratio is a time over another of the same run. On a machine that others use, too, processor time is
the better clock for one thread. higra numbers vertices with leaves first and children before parents;
it gets its own order, prepared beforehand. On shuffled labels it must move values there and answers
back, as we must. The loop is what one would write in C, compiled by numba, over parents that come
first; for shuffled labels over an order that was made beforehand. It checks nothing; our sums note
overflow. Where higra is not installed, its column is empty. The grid takes five minutes; with --full it
has every combination, and 10^8 vertices where there is memory for them, for two shapes and one type.

A floor is what must be done at least: the bytes of parents, values and answers at the speed of a copy;
two gathers if labels are shuffled; on a path, a chain of additions that wait for each other (numpy's
cumsum); and a call of the smallest tree.
"""

import argparse
import pathlib
import time

import numba
import numpy as np

import palmette

try:
    import higra
except ImportError:
    higra = None

SHAPES = ["random", "path", "star", "caterpillar", "perfect", "preferential", "phylogeny", "double-broom"]

#: Bytes per vertex that the grid takes at its peak, all contestants together.
BYTES_PER_VERTEX = 240
LARGEST = 100_000_000

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


def available():
    """Bytes that the machine can still give."""
    lines = pathlib.Path("/proc/meminfo").read_text().splitlines()
    return next(int(line.split()[1]) << 10 for line in lines if line.startswith("MemAvailable"))


def leaves_first(parents, order):
    """higra's tree and the number there of every vertex; `order` has parents first."""
    if higra is None:
        return None, np.arange(len(parents))
    n = len(parents)
    inner = np.zeros(n, bool)
    inner[parents[parents >= 0]] = True
    number = np.empty(n, np.int64)
    last_first = order[::-1]
    leaf = ~inner[last_first]
    leaves = np.count_nonzero(leaf)
    number[last_first[leaf]] = np.arange(leaves)
    number[last_first[~leaf]] = np.arange(leaves, n)
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


LABELS = ["preorder", "parents first", "shuffled"]


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
            works["chain"] = lambda: np.cumsum(wide, out=copy)
        expected = call(values).copy()
        loop(*given, values, copy)
        np.testing.assert_allclose(copy, expected, rtol=1e-4)
        if higra:
            np.testing.assert_allclose(pass_of_higra()[number], expected, rtol=1e-4)
        times = best(works, seconds, clock)
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
    """The rows of the grid that the first table has: two shapes, two types, one thread."""
    return [r for r in rows if r[0] in SHAPES[:2] and r[3] in ("f8", "i8") and r[4] == 1]


def verdict(wanted, value):
    return "yes" if value <= wanted else "no"


def goals(rows):
    """The goals, the worst that was measured, and what there is to gain where one is missed."""
    lines = ["| goal | wanted | worst | holds | median | where | call there, ns | floor there, ns "
             "| the floor is |", "|---|---:|---:|---|---:|---|---:|---:|---|"]

    def add(what, wanted, of, rows, middle_wanted=None):
        if not rows:
            return
        found = [(of(r[-1]), r) for r in rows]
        value, at = max(found, key=lambda x: x[0])
        middle = np.median([f for f, _ in found])
        holds = value <= wanted and (middle_wanted is None or middle <= middle_wanted)
        text = f"≤ {wanted}" + (f", median ≤ {middle_wanted}" if middle_wanted else "")
        lines.append(
            f"| {what} | {text} | {value:.2f} | {'yes' if holds else 'no'} | {middle:.2f} "
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
    for n in sorted({r[2] for r in rows}):
        add(f"… of {n:,} vertices", 1.0, lambda t: t["call"] / other(t), [r for r in rows if r[2] == n])
    largest = [r for r in rows if 9_000_000 <= r[2] < LARGEST]
    add("10^7 vertices: call of the floor", 2.0, lambda t: t["call"] / t["floor"], largest)
    return lines


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
    parser.add_argument("--seconds", type=float, default=0.05)
    parser.add_argument("--sizes", type=float, nargs="*")
    parser.add_argument("--shapes", nargs="*")
    parser.add_argument("--kinds", nargs="*")
    parser.add_argument("--full", action="store_true", help="all labels, types and threads at all sizes")
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
    rows = grid(sizes, shapes, kinds, arguments.threads, seconds, clock, arguments.full)
    sections = {
        "calls": table(shown(rows) if arguments.write else rows),
        "call-sizes": sizes_table(rows),
        "call-goals": goals(rows),
        "columns": columns(1000 if quick else 1_000_000, seconds, clock),
        "pairs": pairs([1000] if quick else [1_000_000, 10_000_000], 4 * seconds, clock),
        "small-calls": small(0.02 if quick else 0.3, clock),
    }
    for section, lines in sections.items():
        print("\n".join(lines), "\n")
        if arguments.write:
            write(arguments.write, section, lines)


if __name__ == "__main__":
    main()
