"""Resistances between focal points of landscapes beside scipy's SuperLU, and right-hand sides in blocks.

    python benches/landscape.py PALMETTE [--quick] [--write docs/benchmarks.md]

Seconds on the clock, least of two turns; ours without reading the raster, scipy's without making the
matrix: its factor and as many solves as ours. Answers are compared. `make bench-landscape` installs scipy.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

POINTS = 20
SIZES = [(300, 300), (980, 980)]


def run(program, *words):
    line = [program, "graph", *map(str, words), "--json"]
    found = subprocess.run(line, check=True, capture_output=True, text=True).stdout
    return json.loads(found)


def laplacian(raster):
    """The Laplacian with eight neighbours, edges of mean resistances, and by cell its vertex."""
    rows, columns = raster.shape
    has = ~np.isnan(raster)
    number = np.full(raster.shape, -1)
    number[has] = np.arange(has.sum())
    ends, weights = [], []
    for down, right, length in [(0, 1, 1), (1, 0, 1), (1, 1, 2**0.5), (1, -1, 2**0.5)]:
        left = slice(max(0, -right), columns - max(0, right))
        other = slice(max(0, right), columns - max(0, -right))
        a, b = (slice(0, rows - down), left), (slice(down, rows), other)
        both = has[a] & has[b]
        ends.append(np.stack([number[a][both], number[b][both]]))
        weights.append(2 / (raster[a][both] + raster[b][both]) / length)
    (i, j), w = np.concatenate(ends, axis=1), np.concatenate(weights)
    n = int(has.sum())
    matrix = sparse.coo_array((np.r_[w, w], (np.r_[i, j], np.r_[j, i])), shape=(n, n)).tocsr()
    return sparse.csc_array(sparse.diags_array(matrix.sum(axis=1)) - matrix), number


def theirs(matrix, vertices):
    """All resistances by one factor; the first vertex is grounded."""
    start = time.perf_counter()
    keep = np.delete(np.arange(matrix.shape[0]), vertices[0])
    factor = splu(matrix[keep][:, keep], permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0,
                  options={"SymmetricMode": True})
    place = np.full(matrix.shape[0], -1)
    place[keep] = np.arange(len(keep))
    green = np.zeros((len(vertices), len(vertices)))
    for k, v in enumerate(vertices[1:], 1):
        b = np.zeros(len(keep))
        b[place[v]] = 1
        green[k, 1:] = factor.solve(b)[place[vertices[1:]]]
    seconds = time.perf_counter() - start
    diagonal = np.diag(green)
    return diagonal[:, None] + diagonal - 2 * green, seconds


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("program")
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", help="the page whose table between <!-- landscape --> marks is replaced")
    arguments = parser.parse_args()
    lines = [
        "| landscape | points | auto takes | ours s | SuperLU s | SuperLU ÷ ours | 8 right-hand sides ÷ 1, one thread |",
        "|---|--:|---|--:|--:|--:|--:|",
    ]
    with tempfile.TemporaryDirectory() as folder:
        land, points, table, b = (pathlib.Path(folder, name) for name in ("l.asc", "p.txt", "r.csv", "b.npy"))
        for rows, columns in SIZES[: 1 if arguments.quick else None]:
            words = ["--seed", 3, "-o", land, "--output-points", points, "--points", POINTS]
            run(arguments.program, "generate", f"landscape:{rows}x{columns}", *words)
            found = [
                run(arguments.program, "resistance", land, "--points", points, "-o", table) for _ in range(2)
            ]
            seconds = min(record["seconds"]["compute"] for record in found)
            raster = np.loadtxt(land, skiprows=6)
            raster[raster == -9999] = np.nan
            matrix, number = laplacian(raster)
            places = np.loadtxt(points)
            vertices = number[rows - 1 - places[:, 2].astype(int), places[:, 1].astype(int)]
            count, parts = sparse.csgraph.connected_components(matrix, directed=False)
            largest = np.bincount(parts).argmax()
            square = np.full((POINTS, POINTS), np.inf)
            inside = np.flatnonzero(parts[vertices] == largest)
            keep = np.flatnonzero(parts == largest)
            place = np.full(len(parts), -1)
            place[keep] = np.arange(len(keep))
            answer, peer = theirs(matrix[keep][:, keep], place[vertices[inside]])
            square[np.ix_(inside, inside)] = answer
            ours = np.loadtxt(table, delimiter=",", skiprows=1)[:, 2]
            expected = square[np.triu_indices(POINTS, 1)]
            if not np.allclose(ours, expected, rtol=1e-6):
                sys.exit(f"{rows}x{columns}: answers differ")
            random = np.random.default_rng(1)
            taken = []
            for width in (1, 8):
                currents = random.standard_normal((matrix.shape[0], width))
                np.save(b, currents - currents.mean(axis=0))
                words = ["--rhs", b, "--preconditioner", "direct", "--threads", 1, "-o", "/dev/null"]
                records = [run(arguments.program, "solve", land, *words) for _ in range(2)]
                taken.append(min(record["seconds"]["solve"] for record in records))
            record = run(arguments.program, "solve", land, "--rhs", b, "-o", "/dev/null")
            chosen = record["result"]["preconditioner"]
            lines.append(
                f"| {matrix.shape[0]:,} cells | {POINTS} | {chosen} | {seconds:.2f} | {peer:.2f} | "
                f"{peer / seconds:.1f} | {taken[1] / taken[0]:.2f} |"
            )
            print(lines[-1], flush=True)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, _, rest = page.read_text().partition("<!-- landscape -->")
        _, _, after = rest.partition("<!-- /landscape -->")
        table = "\n".join(lines)
        page.write_text(f"{before}<!-- landscape -->\n\n{table}\n\n<!-- /landscape -->{after}")


if __name__ == "__main__":
    main()
