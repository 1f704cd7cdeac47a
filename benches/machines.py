"""Parts on hierarchies: ours beside SharedMap (strong), from `chszlablib`.

    python benches/machines.py PALMETTE MESHES [--quick] [--write docs/benchmarks.md]

PALMETTE is the command, MESHES a folder with `.graph` and `.xyz` files. Both get a graph, a hierarchy
with distances 1:10:100, an imbalance of 3% and one thread. J is the sum over edges of the distance between
the processors of their ends, counted here for both; seconds are those of the processor, ours with reading
and writing. Medians of three seeds.
"""

import argparse
import json
import pathlib
import resource
import statistics
import subprocess
import tempfile

import numpy as np

MESHES = ["crackplate", "airfoil1", "4elt", "penny_small"]
HIERARCHIES = [((4, 4, 4), (1, 10, 100)), ((4, 8, 6), (1, 10, 100))]
SEEDS = 3


def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def edges_of(path):
    lines = path.read_text().split("\n")
    count = int(lines[0].split()[0])
    pairs = [(v, int(w) - 1) for v, line in enumerate(lines[1 : count + 1]) for w in line.split()]
    pairs = np.array(pairs)
    return count, pairs[pairs[:, 0] < pairs[:, 1]]


def cost(edges, processor, sizes, distances):
    """J, from the processor of each vertex."""
    a, b = processor[edges[:, 0]], processor[edges[:, 1]]
    apart = np.zeros(len(edges), dtype=np.int64)
    done = a == b
    below = 1
    for size, distance in zip(sizes, distances, strict=True):
        below *= size
        now = (a // below == b // below) & ~done
        apart[now] = distance
        done |= now
    return int(apart.sum())


def ours(program, path, sizes, distances, seed):
    hierarchy, list_of = "x".join(map(str, sizes)), ",".join(map(str, distances))
    with tempfile.TemporaryDirectory() as folder:
        before = spent(resource.RUSAGE_CHILDREN)
        words = [program, "mesh", "map", path, "--xyz", path.with_suffix(".xyz")]
        words += ["--machine", f"hierarchy:{hierarchy}", "--distances", list_of, "--objective", "cut"]
        words += ["--seed", seed, "--threads", 1, "-o", folder, "-q"]
        subprocess.run([str(word) for word in words], check=True, stdout=subprocess.DEVNULL)
        seconds = spent(resource.RUSAGE_CHILDREN) - before
        placed = json.loads((pathlib.Path(folder) / "placement.json").read_text())
        part = np.loadtxt(pathlib.Path(folder) / "part.txt", dtype=int)
        return np.array(placed["processors"])[part], seconds


def theirs(path, sizes, distances, seed):
    import chszlablib

    graph = chszlablib.read_metis(str(path))
    before = spent(resource.RUSAGE_SELF)
    found = chszlablib.Decomposition.process_map(
        graph, hierarchy=list(sizes), distance=list(distances), mode="strong", imbalance=0.03, threads=1, seed=seed
    )
    return np.array(found.assignment), spent(resource.RUSAGE_SELF) - before


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("palmette")
    parser.add_argument("meshes", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", help="the page whose table between <!-- machines --> marks is replaced")
    arguments = parser.parse_args()
    rows = ["| mesh | hierarchy | who | J, median | to ours | largest part over the mean | seconds |", "|---|---|---|---|---|---|---|"]
    for name in MESHES[:1] if arguments.quick else MESHES:
        path = arguments.meshes / f"{name}.graph"
        if not path.exists():
            print(f"{path} is missing")
            continue
        count, edges = edges_of(path)
        for sizes, distances in HIERARCHIES:
            processors = int(np.prod(sizes))
            first = None
            for who in ("palmette", "SharedMap strong"):
                found = []
                for seed in range(1, 2 if arguments.quick else SEEDS + 1):
                    if who == "palmette":
                        processor, seconds = ours(arguments.palmette, path, sizes, distances, seed)
                    else:
                        processor, seconds = theirs(path, sizes, distances, seed)
                    largest = np.bincount(processor, minlength=processors).max() * processors / count
                    found.append((cost(edges, processor, sizes, distances), largest, seconds))
                middle = [statistics.median(column) for column in zip(*found, strict=True)]
                first = first or middle[0]
                hierarchy = "x".join(map(str, sizes))
                rows.append(f"| {name} | {hierarchy} | {who} | {middle[0]:.0f} | {middle[0] / first:.3f} | {middle[1]:.3f} | {middle[2]:.2f} |")
                print(rows[-1], flush=True)
    table = "\n".join(rows)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, _, rest = page.read_text().partition("<!-- machines -->")
        _, _, after = rest.partition("<!-- /machines -->")
        page.write_text(f"{before}<!-- machines -->\n\n{table}\n<!-- /machines -->{after}")


main()
