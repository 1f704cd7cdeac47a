"""Minimum cuts beside VieCut (chszlablib).

    python benches/mincut.py MINCUT_TURNS [--quick] [--write docs/benchmarks.md]

Seconds of the processor for the cut alone, one thread, the least of three turns; both take turns on the
same graphs. Values are compared, and partitions are checked to cut their value. VieCut's exact mode is ended after
`PATIENCE` seconds; what it returns wrongly is said. `make bench-mincut` installs it.
"""

import argparse
import multiprocessing
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

PATIENCE = 30
DATA = pathlib.Path(__file__).parents[2] / "shared" / "data"


def simple(vertices, ends, weights=None):
    """Rows of a simple graph: offsets, neighbours, weights; of parallel edges one."""
    ends = np.sort(np.asarray(ends), 1)
    ends, first = np.unique(ends, axis=0, return_index=True)
    weights = np.ones(len(ends), np.int64) if weights is None else np.asarray(weights)[first]
    keep = ends[:, 0] != ends[:, 1]
    ends, weights = ends[keep], weights[keep]
    rows = np.concatenate([ends[:, 0], ends[:, 1]])
    columns = np.concatenate([ends[:, 1], ends[:, 0]])
    order = np.lexsort((columns, rows))
    offsets = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=vertices))])
    return offsets, columns[order], np.concatenate([weights, weights])[order]


def cycles(vertices, count, draw):
    """Random cycles on all vertices; parallel edges fall away."""
    each = [draw.permutation(vertices) for _ in range(count)]
    return np.concatenate([np.stack([c, np.roll(c, 1)], 1) for c in each])


def grid(side, wraps):
    number = np.arange(side * side).reshape(side, side)
    if wraps:
        right, down = np.roll(number, 1, 1), np.roll(number, 1, 0)
        return np.concatenate([np.stack([number.ravel(), x.ravel()], 1) for x in (right, down)])
    pairs = [(number[:, 1:], number[:, :-1]), (number[1:], number[:-1]), (number[1:, 1:], number[:-1, :-1])]
    return np.concatenate([np.stack([a.ravel(), b.ravel()], 1) for a, b in pairs])


def attached(vertices, edges, draw):
    """Preferential attachment: each new vertex to ends of random edges."""
    ends = np.zeros((vertices * edges, 2), np.int64)
    ends[: edges * edges] = [[i // edges, i % edges] for i in range(edges * edges)]
    for v in range(edges, vertices):
        at = v * edges
        ends[at : at + edges, 0] = v
        chosen = set()
        while len(chosen) < edges:
            chosen.add(int(ends[draw.integers(at), draw.integers(2)]))
        ends[at : at + edges, 1] = sorted(chosen)
    return ends


def planted(half, count, light, draw, heavy=None):
    ends = [cycles(half, count, draw), cycles(half, count, draw) + half]
    ends.append(np.stack([draw.choice(half, light, False), half + draw.choice(half, light, False)], 1))
    inner = len(ends[0]) + len(ends[1])
    weights = None if heavy is None else np.r_[draw.integers(1, heavy + 1, inner), np.ones(light, int)]
    return np.concatenate(ends), weights


def cases(quick):
    draw = np.random.default_rng(1)
    scale = 20 if quick else 1
    for name in ("meshes/4elt", "graphs/delaunay_n15"):
        path = DATA / f"{name}.graph"
        if path.exists():
            yield path.stem, metis(path)
    side = 500 // (4 if quick else 1)
    yield f"triangles, {side * side:,}", simple(side * side, grid(side, False))
    n = 100_000 // scale
    yield f"attachment, {n:,} × 5", simple(n, attached(n, 5, draw))
    n = 20_000 // scale
    yield f"random, {n:,} × {13 * n:,}", simple(n, draw.integers(0, n, (13 * n, 2)))
    side = 300 // (4 if quick else 1)
    yield f"torus, {side}²", simple(side * side, grid(side, True))
    for n in (8_000 // scale, 50_000 // scale):
        yield f"four random cycles, {n:,}", simple(n, cycles(n, 4, draw))
    n = 10_000 // scale
    yield f"planted, 2 × {n:,}", simple(2 * n, *planted(n, 10, 7, draw))
    yield f"planted, weights to 10, 2 × {n:,}", simple(2 * n, *planted(n, 10, 7, draw, 10))


def metis(path):
    lines = path.read_text().splitlines()
    rows = [np.array(line.split(), np.int64) - 1 for line in lines[1:]]
    offsets = np.concatenate([[0], np.cumsum([len(row) for row in rows])])
    return offsets, np.concatenate(rows), np.ones(offsets[-1], np.int64)


def write(path, graph):
    offsets, columns, weights = graph
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    lower = rows > columns
    with open(path, "w") as out:
        out.write("%%MatrixMarket matrix coordinate integer symmetric\n")
        out.write(f"{len(offsets) - 1} {len(offsets) - 1} {lower.sum()}\n")
        np.savetxt(out, np.stack([rows[lower] + 1, columns[lower] + 1, weights[lower]], 1), fmt="%d")


def of_peer(graph, send):
    """VieCut's value, whether its partition cuts that, and its seconds."""
    from chszlablib import Decomposition, Graph

    offsets, columns, weights = graph
    given = Graph.from_csr(offsets, columns, edge_weights=weights)
    # The first call of a process starts threads.
    pair = Graph.from_csr(np.array([0, 1, 2]), np.array([1, 0]), edge_weights=np.array([1, 1]))
    Decomposition.mincut(pair, algorithm="exact", threads=1)
    before = resource.getrusage(resource.RUSAGE_SELF)
    found = Decomposition.mincut(given, algorithm="exact", threads=1)
    after = resource.getrusage(resource.RUSAGE_SELF)
    side = np.asarray(found.partition)
    rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
    cut = weights[side[rows] != side[columns]].sum() // 2
    send.send((found.cut_value, int(cut), after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime))


def peer(graph):
    receive, send = multiprocessing.Pipe(False)
    process = multiprocessing.Process(target=of_peer, args=(graph, send))
    process.start()
    send.close()
    try:
        return receive.recv() if receive.poll(PATIENCE) else None
    except EOFError:
        return None
    finally:
        process.kill()
        process.join()


def ours(program, threads, path):
    line = subprocess.run(
        [program, str(threads), "1", str(path)], check=True, capture_output=True, text=True
    ).stdout
    value, small, trees, processor, wall = line.split()
    return float(value), int(small), int(trees), float(processor), float(wall)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", help="the page whose table between <!-- mincut --> marks is replaced")
    arguments = parser.parse_args()
    lines = [
        "| graph | value | smaller side | trees | ours s | VieCut exact s | VieCut ÷ ours | clock, one ÷ two threads |",
        "|---|--:|--:|--:|--:|--:|--:|--:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        path = pathlib.Path(folder, "graph.mtx")
        for name, graph in cases(arguments.quick):
            write(path, graph)
            one, two, theirs = [], [], []
            for _ in range(3):
                one.append(ours(arguments.program, 1, path))
                two.append(ours(arguments.program, 2, path))
                if None not in theirs:
                    theirs.append(peer(graph))
            value, small, trees = one[0][:3]
            if any(found[:3] != one[0][:3] for found in one + two):
                sys.exit(f"{name}: answers differ: {one + two}")
            seconds = min(found[3] for found in one)
            clock = min(found[4] for found in one) / min(found[4] for found in two)
            known = [found for found in theirs if found is not None]
            if any(found[0] < value for found in known):
                sys.exit(f"{name}: VieCut found a lighter cut: {known}")
            said, ratio = f"more than {PATIENCE}", "–"
            if known and None not in theirs:
                least = min(found[2] for found in known)
                wrong = [f for f in known if f[0] != value or f[1] != value]
                note = f" (says {wrong[0][0]}, cuts {wrong[0][1]})" if wrong else ""
                said, ratio = f"{least:.3f}{note}", f"{least / seconds:.1f}"
            lines.append(
                f"| {name} | {value:g} | {small:,} | {trees} | {seconds:.3f} | {said} | {ratio} | {clock:.2f} |"
            )
            print(lines[-1], flush=True)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, _, rest = page.read_text().partition("<!-- mincut -->")
        _, _, after = rest.partition("<!-- /mincut -->")
        table = "\n".join(lines)
        page.write_text(f"{before}<!-- mincut -->\n\n{table}\n\n<!-- /mincut -->{after}")


if __name__ == "__main__":
    main()
