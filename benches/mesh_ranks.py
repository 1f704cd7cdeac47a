"""A mesh cut on many ranks, beside one machine.

    python benches/mesh_ranks.py PALMETTE PALMETTE_MPI [--quick] [--write docs/scaling.md]

PALMETTE is the command, PALMETTE_MPI the program that `mpirun` starts. Prints three tables: cuts, seconds and
memory of up to seven ranks on this machine; words and rounds counted on more ranks; and what larger jobs would take,
from both. Every job of a mesh must find the same parts, or the script fails.
"""

import argparse
import json
import math
import os
import pathlib
import re
import subprocess
import tempfile

PHASES = ["graph", "coarsen", "smallest", "refine"]
# The network of the page's other projections: 16 ranks share a port of 200 Gbit/s.
BANDWIDTH, LATENCY, GAP = 25e9 / 16, 2e-6, 0.2e-6
# Vertices that one rank cuts.
SMALLEST = 65_536


class Bench:
    def __init__(self, palmette, worker, folder):
        self.palmette, self.worker, self.folder = palmette, worker, folder
        self.alone, self.parts = {}, {}

    def graph(self, shape):
        """The graph of a mesh, and its points."""
        name = self.folder / re.sub(r"\W", "_", shape)
        graph, points = name.with_suffix(".graph"), name.with_suffix(".xyz")
        if not graph.exists():
            mesh = name.with_suffix(".msh")
            self.run([self.palmette, "mesh", "generate", shape, "-o", mesh, "-q"])
            words = [self.palmette, "mesh", "graph", mesh, "--weights", "unit", "-o", graph]
            self.run([*words, "--output-xyz", points, "-q"])
            mesh.unlink()
        return graph, points

    def run(self, words):
        done = subprocess.run([str(word) for word in words], stdout=subprocess.PIPE, check=True)
        return done.stdout

    def one_machine(self, shape, k):
        if (shape, k) not in self.alone:
            graph, points = self.graph(shape)
            words = [self.palmette, "mesh", "partition", graph, "--xyz", points, "-k", k]
            record = json.loads(self.run([*words, "--threads", 1, "--json"]))
            self.alone[shape, k] = record["result"]["cut"], record["seconds"]["partition"]
        return self.alone[shape, k]

    def on_ranks(self, shape, k, ranks):
        graph, points = self.graph(shape)
        out = self.folder / "parts.txt"
        words = ["mpirun", "--allow-run-as-root", "--oversubscribe", "-n", ranks, self.worker]
        words += ["mesh", "partition", graph, "--xyz", points, "-k", k, "-o", out, "--json"]
        record = json.loads(self.run(words))
        parts = out.read_bytes()
        assert self.parts.setdefault((shape, k), parts) == parts, "other parts on other ranks"
        return record

    def traffic(self, record):
        """Words that the busiest rank received, and rounds, without reading and writing."""
        traffic = record["result"]["traffic"]
        words = sum(traffic[phase]["most_words_received"] for phase in PHASES if phase in traffic)
        rounds = sum(traffic[phase]["rounds"] for phase in PHASES if phase in traffic)
        return words, rounds


def weak(bench, jobs):
    head = "| mesh | vertices | parts | ranks | cut | of one machine's | graph | coarsen | smallest |"
    head += " refine | seconds | one machine, one thread | bytes per vertex of a slice |"
    rows = [head, "|---" * 13 + "|"]
    for shape, k, ranks in jobs:
        record = bench.on_ranks(shape, k, ranks)
        cut, seconds = bench.one_machine(shape, k)
        result = record["result"]
        taken = [record["seconds"].get(phase, 0.0) for phase in PHASES]
        share = result["vertices"] / ranks
        cells = [shape, result["vertices"], k, ranks, result["cut"]]
        cells += [f"{result['cut'] / cut:.3f}", *(f"{t:.2f}" for t in taken)]
        cells += [f"{sum(taken):.2f}", f"{seconds:.2f}", f"{result['most_memory'] / share:.0f}"]
        rows.append("| " + " | ".join(map(str, cells)) + " |")
    return rows


def counted(bench, shapes, k, many):
    rows = ["| mesh | vertices | ranks | words per vertex of a slice | rounds |", "|---" * 5 + "|"]
    last = {}
    for kind, shape_of in shapes:
        for ranks in many:
            record = bench.on_ranks(shape_of(ranks), k, ranks)
            words, rounds = bench.traffic(record)
            vertices = record["result"]["vertices"]
            per_vertex = words * ranks / vertices
            last.setdefault(kind, []).append((ranks, per_vertex, rounds, vertices))
            cells = [kind, vertices, ranks, f"{per_vertex:.1f}", rounds]
            rows.append("| " + " | ".join(map(str, cells)) + " |")
    return rows, last


def projected(last, costs, jobs):
    """Seconds of a larger job: computing of a slice, the net that one rank cuts, words and rounds."""
    head = "| mesh | vertices | ranks | words per rank | rounds | computing, s | one rank, s |"
    rows = [head + " words, s | rounds, s |", "|---" * 9 + "|"]
    for kind, counts in last.items():
        ranks_counted, per_vertex, rounds, vertices = counts[-1]
        for n, ranks in jobs:
            levels = math.log2(n / SMALLEST) - math.log2(vertices / SMALLEST)
            # Rounds grow with the number of sizes, which are halved.
            sizes = max(math.log2(vertices / SMALLEST), 1)
            more = rounds * (1 + max(levels, 0) / sizes)
            per_slice, one = costs[kind]
            words = per_vertex * n / ranks
            cells = [kind, f"{n:.0e}", ranks, f"{words:.2e}", f"{more:.0f}"]
            cells += [f"{per_slice * n / ranks:.2f}", f"{one:.2f}", f"{8 * words / BANDWIDTH:.2f}"]
            cells += [f"{more * (LATENCY * math.log2(ranks) + GAP * ranks):.3f}"]
            rows.append("| " + " | ".join(map(str, cells)) + " |")
    return rows


def write_between(path, name, rows):
    text = path.read_text()
    begin, end = f"<!-- {name} -->\n", f"<!-- /{name} -->"
    before, rest = text.split(begin)
    _, after = rest.split(end)
    path.write_text(before + begin + "\n" + "\n".join(rows) + "\n" + end + after)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("palmette", type=pathlib.Path)
    parser.add_argument("worker", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT", "1")
    os.environ.setdefault("OMPI_ALLOW_RUN_AS_ROOT_CONFIRM", "1")
    plane = lambda n: f"delaunay:{n}"  # noqa: E731
    side = lambda n: round(n ** (1 / 3)) - 1  # noqa: E731
    solid = lambda n: f"tetrahedra:{side(n)}x{side(n)}x{side(n)}"  # noqa: E731
    full, share, many = (1_000_000, 250_000, [2, 4, 8, 16])
    if arguments.quick:
        full, share, many = (100_000, 50_000, [2, 4])
    slice_of = share // 4
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(arguments.palmette, arguments.worker, pathlib.Path(folder))
        jobs = [(plane(full), 16, ranks) for ranks in [1, 4]]
        jobs += [(plane(full), 64, ranks) for ranks in [1, 2, 4, 7]]
        jobs += [(solid(full // 4), 64, ranks) for ranks in [1, 2, 4, 7]]
        jobs += [(plane(share * ranks), 64, ranks) for ranks in [1, 2, 3]]
        tables = {"scaling-mesh-weak": weak(bench, jobs)}
        shapes = [
            ("delaunay", lambda ranks: plane(slice_of * ranks)),
            ("tetrahedra", lambda ranks: solid(slice_of * ranks)),
        ]
        tables["scaling-mesh-counted"], last = counted(bench, shapes, 64, many)
        costs = {}
        for kind, shape in [("delaunay", plane(full)), ("tetrahedra", solid(full // 4))]:
            seconds = bench.on_ranks(shape, 64, 2)
            vertices = seconds["result"]["vertices"]
            spread = [seconds["seconds"].get(phase, 0.0) for phase in ["graph", "coarsen", "refine"]]
            costs[kind] = 2 * sum(spread) / vertices, seconds["seconds"]["smallest"]
        tables["scaling-mesh-projected"] = projected(last, costs, [(1e8, 256), (1e8, 1024)])
    for name, rows in tables.items():
        print(f"## {name}\n\n" + "\n".join(rows) + "\n")
        if arguments.write:
            write_between(arguments.write, name, rows)


if __name__ == "__main__":
    main()
