"""Orders of elimination: ours beside METIS's ndmetis and Scotch's gord.

    python benches/order.py PALMETTE MESHES [--quick] [--write docs/benchmarks.md]

PALMETTE is the command, MESHES a folder with `.graph` files; other graphs are generated. Each program finds an
order with one thread; entries and operations of the factor are counted by ours for all orders
(`mesh order --evaluate`). Geometric means of three seeds, ours by nested dissection alone; gord takes no seed.
Seconds are those of the processor, with reading and without counting (ours: the phase `order`, which counts).
"""

import argparse
import json
import math
import pathlib
import resource
import subprocess
import tempfile

SHARED = ["airfoil1", "crackplate", "4elt", "penny_small"]
MADE = ["delaunay:100000", "delaunay:1000000", "grid:300x300", "penny-crack:60000", "box:30x30x30"]
SEEDS = 3


def run(*words):
    """What a program prints, and its seconds."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in words], check=True, capture_output=True, text=True)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return done.stdout, after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def figures(program, graph, places):
    printed, _ = run(program, "mesh", "order", graph, "--evaluate", places, "--places", "--json", "-q")
    result = json.loads(printed)["result"]
    return result["entries"], result["operations"], result["height"]


def ours(program, graph, folder, seed):
    words = [program, "mesh", "order", graph, "--method", "nested-dissection", "--seed", seed, "--threads", 1]
    printed, _ = run(*words, "--json", "-q")
    record = json.loads(printed)
    result = record["result"]
    return (result["entries"], result["operations"], result["height"]), record["seconds"]["order"]


def ndmetis(program, graph, folder, seed):
    _, seconds = run("ndmetis", f"-seed={seed}", graph)
    return figures(program, graph, f"{graph}.iperm"), seconds


def gord(program, graph, folder, seed):
    lines = graph.read_text().split("\n")
    count, edges = (int(word) for word in lines[0].split()[:2])
    rows = (line.split() for line in lines[1 : count + 1])
    theirs, order, places = folder / "g.grf", folder / "g.ord", folder / "g.places"
    theirs.write_text(f"0\n{count} {2 * edges}\n1 000\n" + "".join(f"{len(row)} {' '.join(row)}\n" for row in rows))
    _, seconds = run("gord", theirs, order)
    of = [int(line.split()[1]) - 1 for line in order.read_text().split("\n")[1 : count + 1]]
    places.write_text("".join(f"{place}\n" for place in of))
    return figures(program, graph, places), seconds


def mean(values):
    return math.exp(sum(math.log(value) for value in values) / len(values))


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("palmette")
    parser.add_argument("meshes", type=pathlib.Path)
    parser.add_argument("--quick", action="store_true")
    parser.add_argument("--write", help="the page whose table between <!-- order --> marks is replaced")
    arguments = parser.parse_args()
    rows = ["| graph | vertices | who | entries | operations | to the better peer | height | seconds |", "|---|---|---|---|---|---|---|---|"]
    ratios = []
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        graphs = [arguments.meshes / f"{name}.graph" for name in SHARED]
        for shape in [] if arguments.quick else MADE:
            mesh, graph = folder / "m.mesh", folder / f"{shape.replace(':', '_')}.graph"
            run(arguments.palmette, "mesh", "generate", shape, "-o", mesh, "--output-xyz", folder / "m.xyz", "-q")
            run(arguments.palmette, "mesh", "graph", mesh, "--xyz", folder / "m.xyz", "--weights", "unit", "-o", graph, "-q")
            graphs.append(graph)
        for source in graphs:
            # Peers write beside their input.
            graph = folder / source.name
            if source != graph:
                graph.write_bytes(source.read_bytes())
            found = {}
            for who, finds, seeds in (("palmette", ours, SEEDS), ("ndmetis", ndmetis, SEEDS), ("gord", gord, 1)):
                several = [finds(arguments.palmette, graph, folder, seed) for seed in range(1, seeds + 1)]
                columns = zip(*[(*worth, seconds) for worth, seconds in several], strict=True)
                found[who] = [mean([max(value, 1e-3) for value in column]) for column in columns]
            better = [min(found[who][k] for who in ("ndmetis", "gord")) for k in range(2)]
            ratios.append([found["palmette"][k] / better[k] for k in range(2)] + [found["palmette"][3] / found["ndmetis"][3]])
            vertices = graph.read_text().split(maxsplit=1)[0]
            for who, (entries, operations, height, seconds) in found.items():
                to = f"{entries / better[0]:.3f} / {operations / better[1]:.3f}"
                rows.append(f"| {graph.stem.replace('_', ':') if source == graph else graph.stem} | {vertices} | {who} | {entries:.3e} | {operations:.3e} | {to} | {height:.0f} | {seconds:.2f} |")
                print(rows[-1], flush=True)
    entries, operations, seconds = (list(column) for column in zip(*ratios, strict=True))
    summary = (
        f"Of the better peer's, geometric mean and worst: entries {mean(entries):.3f} and {max(entries):.3f}, "
        f"operations {mean(operations):.3f} and {max(operations):.3f} (goal 1.0 in the mean); {mean(seconds):.1f} times ndmetis's time."
    )
    print(summary)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        table = "\n".join(rows)
        before, _, rest = page.read_text().partition("<!-- order -->")
        _, _, after = rest.partition("<!-- /order -->")
        page.write_text(f"{before}<!-- order -->\n\n{table}\n\n{summary}\n<!-- /order -->{after}")


main()
