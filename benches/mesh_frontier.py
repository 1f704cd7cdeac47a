"""Cuts against time: our presets beside METIS, Scotch, KaMinPar, Mt-KaHyPar and KaHIP.

    python benches/mesh_frontier.py PALMETTE [--quick] [--seeds N] [--write docs/benchmarks.md] [--points FILE.csv]

PALMETTE is the command. All get the same graphs without coordinates, 3% of imbalance and one thread, in turns, one
seed after another. Cuts and balance are counted here from the parts that come out. Seconds are those of a
processor: METIS's own clock; for programs that do not tell, the whole process less one that makes a single
part; for packages of Python the process around the call.
The graphs are the shared meshes, where they are there, and graphs that palmette generates; `tuned` says on
which of them our presets were chosen.
"""

import argparse
import csv
import math
import os
import pathlib
import re
import resource
import subprocess
import sys
import tempfile
import time

import numpy as np

SHARED = pathlib.Path(__file__).resolve().parent.parent.parent / "shared" / "data" / "meshes"
IMBALANCE = 0.03
#: By name: how the graph is made, the parts, the seeds, and whether presets were chosen with it.
MESHES = [(name, None, (2, 16, 64, 256), 3, True) for name in ("airfoil1", "crackplate", "4elt")]
MESHES += [("penny_small", None, (64,), 3, True)]
MADE = [
    ("delaunay 10^5", "mesh delaunay:100000", (64,), 3, True),
    ("delaunay 10^6", "mesh delaunay:1000000", (64,), 1, True),
    ("plate", "mesh crack-plate:20000", (8, 64), 3, False),
    ("tetrahedra", "mesh tetrahedra:20x20x20", (8, 64), 3, False),
    ("grid", "graph grid:30x30x30", (8, 64), 3, False),
    ("geometric", "graph geometric:30000:8", (8, 64), 3, False),
    ("road", "graph road:50000", (8, 64), 3, False),
    ("random", "graph random:10000:6", (8,), 3, False),
]
QUICK = {"airfoil1", "tetrahedra", "road"}
OURS = ["palmette fast", "palmette default", "palmette strong"]
PROGRAMS = OURS + [
    "METIS kway", "METIS rb", "Scotch", "KaMinPar default", "KaMinPar strong", "Mt-KaHyPar default",
    "Mt-KaHyPar quality", "KaHIP eco", "KaHIP strong",
]
#: Beyond so many vertices these take minutes, or more.
MOST_VERTICES = {"KaHIP strong": 40_000, "palmette strong": 500_000, "Scotch": 500_000, "KaHIP eco": 500_000,
                 "Mt-KaHyPar quality": 500_000}


def read_graph(path):
    """Offsets and neighbours of a METIS file without weights."""
    with open(path) as file:
        rows = [line for line in file if not line.startswith("%")]
    lists = [np.fromstring(row, np.int64, sep=" ") - 1 for row in rows[1:]]
    return np.cumsum([0] + [len(row) for row in lists]), np.concatenate(lists)


def spent(who):
    used = resource.getrusage(who)
    return used.ru_utime + used.ru_stime


def run(*command):
    """The output of a program, and the seconds it took of a processor."""
    before = spent(resource.RUSAGE_CHILDREN)
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True,
                          env={**os.environ, "OMP_NUM_THREADS": "1", "SCOTCH_PTHREAD_NUMBER": "1"})
    if done.returncode:
        raise RuntimeError(f"{command}: {done.stdout}{done.stderr}")
    return done.stdout, spent(resource.RUSAGE_CHILDREN) - before


def palmette(preset, palmette_program, graph, k, seed, folder):
    part = folder / "part.txt"
    line = [palmette_program, "mesh", "partition", graph, "--preset", preset, "--imbalance", IMBALANCE, "--seed", seed,
            "--threads", 1, "-q", "-o", part]
    least = min(run(*line, "-k", 1)[1] for _ in range(2))
    seconds = run(*line, "-k", k)[1] - least
    return np.loadtxt(part, dtype=np.int64), max(seconds, 1e-3)


def metis(scheme, graph, k, seed, folder):
    line = ["gpmetis", f"-ptype={scheme}", f"-ufactor={30 if scheme == 'kway' else 1}", f"-seed={seed}"]
    copy = folder / "metis.graph"
    if not copy.exists():
        copy.symlink_to(graph)
    text, _ = run(*line, copy, k)
    seconds = float(re.search(r"Partitioning:\s+([\d.]+) sec", text).group(1))
    return np.loadtxt(f"{copy}.part.{k}", dtype=np.int64), max(seconds, 1e-3)


def scotch(graph, k, seed, folder):
    source, out = folder / "scotch.grf", folder / "scotch.map"
    if not source.exists():
        offsets, neighbours = read_graph(graph)
        rows = [" ".join(map(str, [b - a, *neighbours[a:b]])) for a, b in zip(offsets, offsets[1:], strict=False)]
        source.write_text(f"0\n{len(rows)} {len(neighbours)}\n0 000\n" + "\n".join(rows) + "\n")
    line = ["scotch_gpart", 1, source, out, f"-b{IMBALANCE}", f"-CS{seed}"[:2] + "f"]
    least = run(*line)[1]
    line[1] = k
    seconds = run(*line)[1] - least
    pairs = np.loadtxt(out, dtype=np.int64, skiprows=1)
    part = np.empty(len(pairs), np.int64)
    part[pairs[:, 0]] = pairs[:, 1]
    return part, max(seconds, 1e-3)


def packages(program, graph, ks, seeds):
    """In a process of its own: prints seconds, and saves the parts."""
    family, preset = program.split(" ")
    if family == "KaMinPar":
        import kaminpar

        context = {"default": kaminpar.default_context, "strong": kaminpar.strong_context}[preset]()
        loaded = kaminpar.load_graph(str(graph), kaminpar.GraphFileFormat.METIS)

        def cut(k, seed):
            kaminpar.reseed(seed)
            return kaminpar.KaMinPar(1, context).compute_partition(loaded, k, IMBALANCE)
    elif family == "Mt-KaHyPar":
        import mtkahypar

        start = mtkahypar.initialize(1)
        presets = {"default": mtkahypar.PresetType.DEFAULT, "quality": mtkahypar.PresetType.QUALITY}
        context = start.context_from_preset(presets[preset])
        context.logging = False
        loaded = start.graph_from_file(str(graph), context, mtkahypar.FileFormat.METIS)

        def cut(k, seed):
            mtkahypar.set_seed(seed)
            context.set_partitioning_parameters(k, IMBALANCE, mtkahypar.Objective.CUT)
            return loaded.partition(context).get_partition()
    else:
        import kahip

        offsets, neighbours = (array.tolist() for array in read_graph(graph))
        ones, edges = [1] * (len(offsets) - 1), [1] * len(neighbours)
        mode = {"eco": kahip.ECO, "strong": kahip.STRONG}[preset]

        def cut(k, seed):
            return kahip.kaffpa(ones, offsets, edges, neighbours, k, IMBALANCE, True, seed, mode)[1]
    for k in ks:
        for seed in range(1, seeds + 1):
            begin = time.process_time()
            part = cut(k, seed)
            print(f"@ {k} {seed} {time.process_time() - begin}", flush=True)
            np.save(f"{graph}.{k}.{seed}.npy", np.asarray(part, np.int64))


def answers(program, command, graph, ks, seeds, folder):
    """By parts and seed: parts and seconds."""
    family, _, preset = program.partition(" ")
    if family in ("KaMinPar", "Mt-KaHyPar", "KaHIP"):
        text, _ = run(sys.executable, __file__, "--worker", program, graph, ",".join(map(str, ks)), seeds)
        for line in re.findall(r"^@ (\d+) (\d+) (\S+)$", text, re.MULTILINE):
            k, seed, seconds = int(line[0]), int(line[1]), float(line[2])
            yield k, np.load(f"{graph}.{k}.{seed}.npy"), seconds
        return
    for k in ks:
        for seed in range(1, seeds + 1):
            if family == "palmette":
                yield k, *palmette(preset, command, graph, k, seed, folder)
            elif family == "METIS":
                yield k, *metis(preset, graph, k, seed, folder)
            else:
                yield k, *scotch(graph, k, seed, folder)


def graphs(command, quick, most_seeds, folder):
    for name, made, ks, seeds, tuned in MESHES + MADE:
        if quick and name not in QUICK:
            continue
        path = folder / f"{name.replace(' ', '-').replace('^', '')}.graph"
        if made is None:
            if not (SHARED / f"{name}.graph").exists():
                print(f"{name} is not there: left out")
                continue
            path.write_bytes((SHARED / f"{name}.graph").read_bytes())
        else:
            noun, shape = made.split(" ")
            if noun == "graph":
                run(command, "graph", "generate", shape, "-o", path, "-q")
            else:
                run(command, "mesh", "generate", shape, "-o", folder / "m.msh", "-q")
                run(command, "mesh", "graph", folder / "m.msh", "--weights", "unit", "-o", path, "-q")
        yield name, path, ks[:2] if quick else ks, 1 if quick else min(seeds, most_seeds), tuned


def measure(command, quick, most_seeds, programs):
    """By case and program: the median cut, the median seconds, how many parts are disconnected."""
    found, tuned_of = {}, {}
    with tempfile.TemporaryDirectory() as name:
        for graph, path, ks, seeds, tuned in graphs(command, quick, most_seeds, pathlib.Path(name)):
            offsets, neighbours = read_graph(path)
            rows = np.repeat(np.arange(len(offsets) - 1), np.diff(offsets))
            folder = pathlib.Path(name) / path.stem
            folder.mkdir()
            for program in programs:
                if len(offsets) > MOST_VERTICES.get(program, math.inf):
                    continue
                kept = {}
                try:
                    for k, part, seconds in answers(program, command, path, ks, seeds, folder):
                        cut = int((part[rows] != part[neighbours]).sum()) // 2
                        sizes = np.bincount(part, minlength=k)
                        heavy = sizes.max() * k / len(part)
                        kept.setdefault(k, []).append((cut, seconds, heavy, int((sizes == 0).sum())))
                except RuntimeError as error:
                    # Some peers crash on some graphs.
                    print(f"{graph} {program}: failed: {str(error)[-200:]}", flush=True)
                for k, of in kept.items():
                    cut, seconds, heavy, empty = (np.median([x[i] for x in of]) for i in range(4))
                    found[graph, k, program] = (cut, seconds, heavy, empty)
                    tuned_of[graph, k] = tuned
                    print(f"{graph} {k} {program}: cut {cut:.0f}, {seconds:.3f} s, largest {heavy:.3f}", flush=True)
    return found, tuned_of


def mean(ratios):
    ratios = list(ratios)
    return math.exp(sum(map(math.log, ratios)) / len(ratios)) if ratios else math.nan


def against(found, ours, peer, which, cases):
    """The geometric mean of what we have over what the peer has, over the cases that both did."""
    both = [case for case in cases if (*case, ours) in found and (*case, peer) in found]
    return mean(found[(*case, ours)][which] / found[(*case, peer)][which] for case in both), len(both)


def goals(found, tuned_of):
    cases, large = sorted(tuned_of, key=str), [("delaunay 10^6", 64)]
    small = [case for case in cases if case not in large]
    plan = [
        ("fast", "METIS kway", small, 1.0, 1.5), ("fast", "METIS kway", large, 1.0, 1.2),
        ("default", "Mt-KaHyPar quality", small, 1.0, 0.7), ("default", "KaMinPar strong", small, 1.0, 0.7),
        ("default", "KaMinPar strong", large, 1.0, 1.0), ("strong", "KaHIP strong", small, 0.99, 1.0),
    ]
    rows = ["| preset | beside | cases | cut, times | goal | seconds, times | goal |", "|---|---|---:|---:|---:|---:|---:|"]
    for preset, peer, where, cut, seconds in plan:
        ours = f"palmette {preset}"
        (cuts, count), (times, _) = (against(found, ours, peer, which, where) for which in (0, 1))
        if count:
            what = "10^6 nodes" if where is large else count
            rows.append(f"| {preset} | {peer} | {what} | {cuts:.3f} | {cut} | {times:.2f} | {seconds} |")
    for known, what in ((True, "presets were chosen with"), (False, "presets were not chosen with")):
        where = [case for case in small if tuned_of[case] == known]
        for preset, peer in (("fast", "METIS kway"), ("default", "KaMinPar strong"), ("strong", "KaHIP strong")):
            (cuts, count), (times, _) = (against(found, f"palmette {preset}", peer, i, where) for i in (0, 1))
            if count:
                rows.append(f"| {preset} | {peer} | {count} {what} | {cuts:.3f} | – | {times:.2f} | – |")
    return rows


def table(found, programs):
    rows = ["| graph | parts | " + " | ".join(programs) + " |", "|---|---:|" + "---:|" * len(programs)]
    for graph, k in dict.fromkeys((graph, k) for graph, k, _ in found):
        cells = []
        for program in programs:
            one = found.get((graph, k, program))
            mark = "" if one is None or one[2] <= max(1 + IMBALANCE, one[2] // 1) + 0.02 else "†"
            cells.append("–" if one is None else f"{one[0]:.0f}{mark} / {one[1]:.2g}")
        rows.append(f"| {graph} | {k} | " + " | ".join(cells) + " |")
    return rows


def points(found, programs):
    """By program: geometric means of seconds and cuts, to those of METIS kway, where all did the case."""
    cases = {(graph, k) for graph, k, _ in found}
    shared = [case for case in cases if all((*case, program) in found for program in programs)]
    for program in programs:
        values = [against(found, program, "METIS kway", which, shared)[0] for which in (1, 0)]
        yield program.split(" ")[0], program, *values


def main():
    if sys.argv[1:2] == ["--worker"]:
        program, graph, ks, seeds = sys.argv[2:]
        return packages(program, graph, [int(k) for k in ks.split(",")], int(seeds))
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("palmette")
    parser.add_argument("--quick", action="store_true", help="three small graphs, one seed")
    parser.add_argument("--seeds", type=int, default=3, help="at most so many (default 3)")
    parser.add_argument("--only", help="programs to run, with commas between")
    parser.add_argument("--write", help="the page whose table between <!-- mesh-frontier --> marks is replaced")
    parser.add_argument("--points", help="a table for the picture")
    arguments = parser.parse_args()
    programs = arguments.only.split(",") if arguments.only else PROGRAMS
    found, tuned_of = measure(arguments.palmette, arguments.quick, arguments.seeds, programs)
    rows = goals(found, tuned_of) + ["", "Median cut / seconds of a processor; † marks parts that are too heavy.", ""]
    rows += table(found, programs)
    print("\n".join(rows))
    if arguments.points:
        path = pathlib.Path(arguments.points)
        path.parent.mkdir(parents=True, exist_ok=True)
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([("family", "program", "seconds", "cut"), *points(found, programs)])
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, rest = page.read_text().split("<!-- mesh-frontier -->")
        after = rest.split("<!-- /mesh-frontier -->")[1]
        text = "\n".join(rows)
        page.write_text(f"{before}<!-- mesh-frontier -->\n\n{text}\n\n<!-- /mesh-frontier -->{after}")
    return None


if __name__ == "__main__":
    sys.exit(main())
