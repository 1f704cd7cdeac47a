"""What parts keep to beside their number: several weights, old parts, values instead of edges.

    python benches/mesh_demands.py PALMETTE [--quick] [--write docs/benchmarks.md]

PALMETTE is the command. Beside it METIS (several weights) and Scotch (`scotch_gpart -ro`: old parts), on the same
graphs, with 3% of imbalance and one thread, in turns. Cuts, balance, values and what moved are counted here from
the parts that come out. Seconds are those of a processor, of the whole process, reading and writing included.
"""

import argparse
import json
import pathlib
import re
import statistics
import sys
import tempfile

import numpy as np
from mesh_frontier import IMBALANCE, SHARED, run

#: By name: how the graph is made where it is not a shared mesh.
GRAPHS = {"crackplate": None, "4elt": None, "grid 200x200": "grid:200x200", "grid 30x30x30": "grid:30x30x30"}
QUICK = {"grid 200x200"}
SEEDS = (1, 2, 3)


class Graph:
    """A graph in a METIS file, and its edges, each both ways."""

    def __init__(self, program, name, folder):
        self.name, self.folder = name, folder
        self.path = folder / f"{name.replace(' ', '-')}.graph"
        if GRAPHS[name] is None:
            self.path.write_bytes((SHARED / f"{name}.graph").read_bytes())
        else:
            run(program, "graph", "generate", GRAPHS[name], "-o", self.path, "--weights", "unit", "-q")
        with open(self.path) as file:
            rows = [line for line in file if not line.startswith("%")][1:]
        self.lists = [np.array(row.split(), np.int64) - 1 for row in rows]
        self.n = len(self.lists)
        self.tail = np.repeat(np.arange(self.n), [len(row) for row in self.lists])
        self.head = np.concatenate(self.lists)

    def cut(self, part):
        return int((part[self.tail] != part[self.head]).sum()) // 2

    def values(self, part, k):
        """Values that each part sends."""
        border = part[self.tail] != part[self.head]
        pairs = np.unique(self.tail[border] * k + part[self.head[border]])
        return np.bincount(part[pairs // k], minlength=k)

    def place(self):
        """How far vertices are from the first one, and an order that keeps neighbours together."""
        far, front, step = np.full(self.n, -1), np.array([0]), 0
        far[0] = 0
        while len(front):
            step += 1
            near = np.unique(np.concatenate([self.lists[v] for v in front]))
            front = near[far[near] < 0]
            far[front] = step
        return far


def imbalance(part, weights, k):
    loads = np.bincount(part, weights, minlength=k)
    return loads.max() / loads.mean() - 1


def weighted(graph, columns, path):
    """The graph with weights as METIS reads them."""
    rows = np.stack(columns, axis=1)
    lines = [f"{graph.n} {len(graph.head) // 2} 010 {len(columns)}"]
    for weights, row in zip(rows, graph.lists, strict=True):
        lines.append(" ".join(map(str, [*weights, *(row + 1)])))
    path.write_text("\n".join(lines) + "\n")


def several(program, graph, k, rows):
    rng = np.random.default_rng(1)
    far = graph.place()
    ones = np.ones(graph.n, np.int64)
    near = (far < np.quantile(far, 0.2)).astype(np.int64)
    rough = rng.integers(1, 10, graph.n)
    for what, columns in {
        "1 and a corner of 20%": [ones, near],
        "1, 1 to 9": [ones, rough],
        "1, corner, distance": [ones, near, far + 1],
    }.items():
        path = graph.folder / "weighted.graph"
        weighted(graph, columns, path)
        for who in ("palmette fast", "palmette default", "METIS kway", "METIS rb"):
            found = []
            for seed in SEEDS:
                if who.startswith("METIS"):
                    line = ["gpmetis", f"-ptype={who[6:]}", f"-ufactor={30}", f"-seed={seed}", path, k]
                    seconds = run(*line)[1]
                    part = np.loadtxt(f"{path}.part.{k}", dtype=np.int64)
                else:
                    out = graph.folder / "part.txt"
                    line = [program, "mesh", "partition", path, "-k", k, "--preset", who[9:], "--seed", seed]
                    seconds = run(*line, "--imbalance", IMBALANCE, "--threads", 1, "-q", "-o", out)[1]
                    part = np.loadtxt(out, dtype=np.int64)
                found.append((graph.cut(part), max(imbalance(part, w, k) for w in columns), seconds))
            cut, worst, seconds = (statistics.median(column) for column in zip(*found, strict=True))
            most = max(one[1] for one in found)
            rows.append([graph.name, str(k), what, who, f"{cut:.0f}", f"{worst:.3f}", f"{most:.3f}", f"{seconds:.2f}"])


def repartition(program, graph, k, rows):
    """The weight of a fifth of the vertices grows by ten; some weights are cheap to move, some not."""
    far = graph.place()
    weights = np.where(far < np.quantile(far, 0.2), 10, 1)
    source, old = graph.folder / "weighted.graph", graph.folder / "old.txt"
    weighted(graph, [weights], source)
    run(program, "mesh", "partition", graph.path, "-k", k, "-q", "-o", old)
    before = np.loadtxt(old, dtype=np.int64)
    grf, mapping, costs = graph.folder / "s.grf", graph.folder / "old.map", graph.folder / "cost.map"
    lists = (" ".join(map(str, [w, len(row), *row])) for w, row in zip(weights, graph.lists, strict=True))
    grf.write_text(f"0\n{graph.n} {len(graph.head)}\n0 010\n" + "\n".join(lists) + "\n")
    mapping.write_text(f"{graph.n}\n" + "".join(f"{v}\t{p}\n" for v, p in enumerate(before)))
    costs.write_text(f"{graph.n}\n" + "".join(f"{v}\t{w}\n" for v, w in enumerate(weights)))
    for cost in (0, 0.05, 0.2, 1):
        for who in ("palmette fast", "palmette default", "Scotch"):
            found = []
            for seed in SEEDS:
                out = graph.folder / "part.txt"
                if who == "Scotch":
                    line = ["scotch_gpart", k, grf, out, f"-b{IMBALANCE}", f"-ro{mapping}", f"-rr{cost}", f"-rv{costs}"]
                    seconds = run(*line)[1]
                    pairs = np.loadtxt(out, dtype=np.int64, skiprows=1)
                    part = np.empty(graph.n, np.int64)
                    part[pairs[:, 0]] = pairs[:, 1]
                else:
                    line = [program, "mesh", "partition", source, "-k", k, "--preset", who[9:], "--seed", seed]
                    line += ["--from", old, "--migration", cost, "--imbalance", IMBALANCE, "--threads", 1, "-q", "-o", out]
                    seconds = run(*line)[1]
                    part = np.loadtxt(out, dtype=np.int64)
                cut, moved = graph.cut(part), int(weights[part != before].sum())
                found.append((cut + cost * moved, cut, moved, imbalance(part, weights, k), seconds))
            total, cut, moved, over, seconds = (statistics.median(column) for column in zip(*found, strict=True))
            rows.append([graph.name, str(k), f"{cost}", who, f"{cut:.0f}", f"{moved:.0f}", f"{total:.0f}", f"{over:.3f}",
                         f"{seconds:.2f}"])


def objectives(program, graph, k, rows):
    for objective in ("cut", "volume", "bottleneck"):
        found = []
        for seed in SEEDS:
            out = graph.folder / "part.txt"
            line = [program, "mesh", "partition", graph.path, "-k", k, "--objective", objective, "--seed", seed]
            seconds = run(*line, "--threads", 1, "-q", "-o", out)[1]
            part = np.loadtxt(out, dtype=np.int64)
            sent = graph.values(part, k)
            found.append((graph.cut(part), sent.sum(), sent.max(), seconds))
        cut, volume, most, seconds = (statistics.median(column) for column in zip(*found, strict=True))
        rows.append([graph.name, str(k), objective, f"{cut:.0f}", f"{volume:.0f}", f"{most:.0f}", f"{seconds:.2f}"])


def elements(program, shape, k, folder, rows):
    mesh = folder / "shape.msh"
    run(program, "mesh", "generate", shape, "-o", mesh, "-q")
    for objective in (None, "cut", "volume", "bottleneck"):
        found = []
        for seed in SEEDS:
            line = [program, "mesh", "partition", mesh, "--elements", "-k", k, "--seed", seed, "--threads", 1, "--json"]
            line += ["--objective", objective] if objective else []
            text, seconds = run(*line)
            result = json.loads(text)["result"]
            found.append((result["cut"], result["copies"], result.get("largest_volume", 0), seconds))
        cut, copies, most, seconds = (statistics.median(column) for column in zip(*found, strict=True))
        rows.append([f"{shape}, elements", str(k), objective or "default", f"{cut:.0f}", f"{copies:.0f}",
                     f"{most:.0f}" if objective else "–", f"{seconds:.2f}"])


def table(head, rows):
    return "\n".join("| " + " | ".join(row) + " |" for row in [head, ["---"] * len(head), *rows])


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("palmette", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=pathlib.Path, help="the page whose tables are replaced")
    options = parser.parse_args()
    program = options.palmette.resolve()
    tables = {"several": [], "repartition": [], "objectives": []}
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for name in QUICK if options.quick else GRAPHS:
            if GRAPHS[name] is None and not (SHARED / f"{name}.graph").exists():
                print(f"skipped: {name} is missing", file=sys.stderr)
                continue
            graph = Graph(program, name, folder)
            for k in (8, 64):
                several(program, graph, k, tables["several"])
                repartition(program, graph, k, tables["repartition"])
                objectives(program, graph, k, tables["objectives"])
        for shape in ("triangles:100x100", "tetrahedra:16x16x16"):
            elements(program, shape, 64, folder, tables["objectives"])
    heads = {
        "several": ["graph", "parts", "weights", "who", "cut, median", "imbalance, median", "worst", "seconds"],
        "repartition": ["graph", "parts", "cost", "who", "cut", "weight moved", "cut + cost · moved", "imbalance", "seconds"],
        "objectives": ["graph", "parts", "objective", "cut", "values or copies", "most of a part", "seconds"],
    }
    for key, rows in tables.items():
        text = table(heads[key], rows)
        print(f"\n{text}")
        if options.write:
            mark, page = f"mesh-{key}", options.write.read_text()
            made = re.sub(f"(<!-- {mark} -->\n).*?(\n<!-- /{mark} -->)", lambda m, t=text: f"{m[1]}\n{t}\n{m[2]}", page,
                          flags=re.DOTALL)
            options.write.write_text(made)


if __name__ == "__main__":
    main()
