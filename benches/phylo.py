"""Phylogenetics: the command beside the best tool for each job.

    python benches/phylo.py PALMETTE [--jobs NAME …] [--quick] [--write docs/benchmarks.md]

Seconds of processor (user and system), one thread, the least of a few turns; contestants take turns
on the same files. Where a peer is a library, its script says what the job itself took; rows that say so
compare with that, all others whole processes. Answers are compared before a time is printed. A peer that is not installed
is left out by name. `make bench-phylo` installs them.
"""

import argparse
import json
import os
import pathlib
import random
import re
import shutil
import subprocess
import sys
import tempfile

import biom
import h5py
import numpy as np
import scipy.sparse

sys.path.insert(0, str(pathlib.Path(__file__).parent))
from phylo_peers import PEERS  # noqa: E402


def joined(tips, seed):
    """A random binary tree as Newick: two random subtrees are joined until one is left."""
    draw = random.Random(seed)
    forest = [f"t{i}" for i in range(tips)]
    while len(forest) > 1:
        parts = []
        for _ in range(2):
            at = draw.randrange(len(forest))
            forest[at], forest[-1] = forest[-1], forest[at]
            parts.append(f"{forest.pop()}:{draw.randrange(1, 10000) / 10000}")
        forest.append(f"({parts[0]},{parts[1]})")
    return forest[0] + ";"


def samples(path, tips, count, present, seed):
    """Counts of tips in samples, as BIOM 2.1."""
    draw = np.random.default_rng(seed)
    # Samples come from ten places, each with its own tips: what two samples share is as in real tables.
    places = [draw.choice(tips, min(tips, 4 * present), replace=False) for _ in range(10)]
    rows, columns, counts = [], [], []
    for sample in range(count):
        some = np.sort(draw.choice(places[sample % 10], present, replace=False))
        rows.append(some)
        columns.append(np.full(len(some), sample))
        counts.append(draw.geometric(0.02, len(some)))
    rows, columns, counts = map(np.concatenate, (rows, columns, counts))
    matrix = scipy.sparse.csr_matrix((counts.astype(float), (rows, columns)), shape=(tips, count))
    seen = np.flatnonzero(np.diff(matrix.indptr))
    whole = biom.Table(matrix[seen], [f"t{i}" for i in seen], [f"s{i}" for i in range(count)])
    with h5py.File(path, "w") as file:
        whole.to_hdf5(file, "benches/phylo.py")


def alignment(path, tips, sites, seed):
    """Random nucleotides, alike in neighbouring tips."""
    draw = np.random.default_rng(seed)
    letters = np.frombuffer(b"ACGT", np.uint8)
    row = draw.integers(0, 4, sites)
    with open(path, "wb") as file:
        for tip in range(tips):
            change = draw.random(sites) < 0.1
            row = np.where(change, draw.integers(0, 4, sites), row)
            file.write(b">t%d\n" % tip + letters[row].tobytes() + b"\n")


# Starts a command and says what it took. A process of its own: the peak memory of a child is never below
# that of the one that starts it.
LAUNCHER = """
import os, sys
child = os.fork()
if child == 0:
    os.execv(sys.argv[1], sys.argv[1:])
_, status, usage = os.wait4(child, 0)
with open("spent", "w") as file:
    print(usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024, status, file=file)
"""


def spent(command, folder):
    """Processor seconds of a command, its peak memory in MB and what it printed."""
    environment = dict(os.environ, OMP_NUM_THREADS="1", OPENBLAS_NUM_THREADS="1", RAYON_NUM_THREADS="1")
    with open(folder / "printed", "w+") as printed:
        subprocess.run([sys.executable, "-S", "-c", LAUNCHER, *command], cwd=folder, stdout=printed,
                       stderr=subprocess.STDOUT, env=environment, check=True)
        printed.seek(0)
        text = printed.read()
    seconds, memory, status = map(float, (folder / "spent").read_text().split())
    if status:
        raise RuntimeError(f"{' '.join(command[:4])}…: {text.strip()[-300:]}")
    return seconds, memory, text


def said(text):
    """What a process says the job alone took: `job SECONDS`, or the phase `compute` of a record."""
    if text.startswith("{"):
        return json.loads(text)["seconds"]["compute"]
    found = [line.split()[1] for line in text.splitlines() if line.startswith("job ")]
    return float(found[-1]) if found else None


class Least:
    """The least of a few turns, of the whole process and of the job alone; the most memory."""

    def __init__(self):
        self.whole, self.job, self.memory = float("inf"), None, 0

    def turn(self, command, folder):
        seconds, memory, text = spent(command, folder)
        job = said(text)
        self.whole, self.memory = min(self.whole, seconds), max(self.memory, memory)
        if job is not None:
            self.job = job if self.job is None else min(self.job, job)


class Bench:
    """Inputs, made once, and rows of the table."""

    def __init__(self, arguments, folder):
        self.quick, self.turns, self.folder = arguments.quick, arguments.turns, folder
        self.command = str(pathlib.Path(arguments.palmette).resolve())
        self.study = arguments.study and str(pathlib.Path(arguments.study).resolve())
        self.lines = []

    def size(self, tips):
        return max(50, tips // 1000) if self.quick else tips

    def tree(self, tips, seed=1):
        path = self.folder / f"tree{tips}_{seed}.nwk"
        if not path.exists():
            path.write_text(joined(tips, seed) + "\n")
        return path.name

    def row(self, job, goal, ours, peer, compare, by_job=False, whole=False):
        """A row: `ours` is a list of arguments, `peer` a name of PEERS and its arguments. With `by_job`, what
        reading and writing take does not count on either side: our time is then by the clock, the least of more
        turns. A `goal` of None is no goal. With `whole`, the whole process of the peer counts, too. Contestants take turns."""
        command = [self.command, "tree", *ours, "--threads", "1"] + (["--json"] if by_job else [])
        name, *arguments = peer
        call = PEERS[name](self.folder, *arguments)
        mine, theirs = Least(), Least()
        for turn in range(self.turns):
            for _ in range(10 if by_job else 1):
                mine.turn(command, self.folder)
            if call is not None and turn < (1 if self.quick else 2):
                theirs.turn(call, self.folder)
        seconds = mine.job if by_job else mine.whole
        shown = "–" if goal is None else goal
        if call is None:
            self.lines.append(f"| {job} | {seconds:.4f} | {mine.memory:.0f} | {name}: not installed | | {shown} | |")
        else:
            compare(self.folder)
            other = theirs.whole if whole or theirs.job is None else theirs.job
            ratio = other / seconds
            met = "" if goal is None or ratio >= goal else ", missed"
            self.lines.append(
                f"| {job} | {seconds:.4f} | {mine.memory:.0f} | {name} | {other:.2f} | {shown} | {ratio:.1f}{met} |")
        print(self.lines[-1], flush=True)


def matrix(path, skip=1):
    """The numbers of a square table with names."""
    separator = "\t" if "\t" in open(path).readline() else ","
    rows = [line.rstrip("\n").split(separator) for line in open(path)]
    names = rows[0][1:]
    order = sorted(range(len(names)), key=lambda i: names[i])
    numbers = np.array([row[1:] for row in rows[1:]], float)
    return numbers[np.ix_(order, order)]


def same_matrices(tolerance):
    def compare(folder):
        ours, theirs = matrix(folder / "ours.csv"), matrix(folder / "theirs.tsv")
        assert np.allclose(ours, theirs, atol=tolerance), abs(ours - theirs).max()
    return compare


def column(path):
    separator = "\t" if "\t" in open(path).readline() else ","
    rows = [line.rstrip("\n").split(separator) for line in open(path)][1:]
    return {row[0]: float(row[-1]) for row in rows if row[0]}


def same_columns(tolerance):
    def compare(folder):
        ours, theirs = column(folder / "ours.csv"), column(folder / "theirs.tsv")
        assert set(ours) == set(theirs)
        assert all(abs(ours[k] - theirs[k]) <= tolerance * max(1, abs(theirs[k])) for k in ours)
    return compare


def same_numbers(folder):
    ours, theirs = (float((folder / name).read_text().split()[-1]) for name in ("ours.txt", "theirs.tsv"))
    assert abs(ours - theirs) <= 1e-6 * max(1, abs(theirs)), (ours, theirs)


def same_rows(folder):
    """Some rows of two large matrices in npy; the peer's has its own order of names."""
    ours, theirs = (np.load(folder / name, mmap_mode="r") for name in ("ours.npy", "theirs.npy"))
    names, ids = ((folder / name).read_text().split() for name in ("asked", "theirs.ids"))
    place = {name: i for i, name in enumerate(ids)}
    order = [place[name] for name in names]
    assert ours.shape == theirs.shape
    for i in range(0, len(names), len(names) // 20 + 1):
        assert np.allclose(ours[i], theirs[order[i]][order], rtol=1e-9), names[i]


def tip_distances(text):
    """Distances of the tips of a Newick tree from its root, all of which have lengths: read backwards."""
    found, path, length = [], [0.0], None
    for token in reversed(re.findall(r"[(),]|:[^(),:;]+", text)):
        if token[0] == ":":
            length = float(token[1:])
            continue
        if token == ")":
            path.append(path[-1] + (length or 0.0))
        elif length is not None:
            found.append(path[-1] + length)
        if token == "(":
            path.pop()
        length = None
    return np.array(found)


def same_variance(folder):
    """Both roots are where distances to the tips vary least."""
    ours, theirs = (np.var(tip_distances((folder / name).read_text())) for name in ("ours.nwk", "theirs.nwk"))
    assert abs(ours - theirs) <= 1e-6 * theirs, (ours, theirs)


def nothing(folder):
    """Nothing to compare: the tests compare these with reference answers."""


def diversity(bench):
    tips = bench.size(10_000)
    tree, count = bench.tree(tips), 20 if bench.quick else 1000
    samples(bench.folder / "table.hdf5", tips, count, max(5, tips * 27 // 100 // 10), 2)
    for metric, theirs, goal in [("unweighted", "unweighted", 4), ("weighted-normalised", "weighted_normalized", 6),
                                 ("generalised", "generalized", 20)]:
        more = ["--alpha", "0.5"] if metric == "generalised" else []
        bench.row(f"{metric} UniFrac, {count:,} samples × {tips:,} tips", goal,
                  ["diversity", tree, "table.hdf5", "--metric", metric, *more, "-o", "ours.csv", "-q"],
                  ("ssu", tree, "table.hdf5", theirs), same_matrices(1e-5))
    tips = bench.size(1_000_000)
    tree = bench.tree(tips)
    samples(bench.folder / "large.hdf5", tips, 100, max(5, tips * 14 // 1000), 3)
    bench.row(f"Faith PD, 100 samples, {tips:,} tips", 25,
              ["diversity", tree, "large.hdf5", "--metric", "faith", "-o", "ours.csv", "-q"],
              ("faithpd", tree, "large.hdf5"), same_columns(1e-5))


def parsimony(bench):
    tips, sites = bench.size(10_000), 1000
    tree = bench.tree(tips)
    alignment(bench.folder / "letters.fasta", tips, sites, 4)
    (bench.folder / "cost.tsv").write_text(
        "\tA\tC\tG\tT\nA\t0\t2\t1\t2\nC\t2\t0\t2\t1\nG\t1\t2\t0\t2\nT\t2\t1\t2\t0\n")
    for job, more, goal in [("Fitch", [], 30), ("Sankoff", ["--cost", "cost.tsv"], 20)]:
        bench.row(f"{job}, {sites:,} sites × {tips:,} tips, without reading", goal,
                  ["parsimony", tree, "letters.fasta", *more],
                  (f"phangorn {job}", tree, "letters.fasta", "cost.tsv"), nothing, by_job=True)


def compare(bench):
    tips = bench.size(1_000_000)
    (bench.folder / "two.nwk").write_text("".join(joined(tips, seed) + "\n" for seed in (5, 6)))
    first, second = (bench.folder / "two.nwk").read_text().splitlines()
    (bench.folder / "a.nwk").write_text(first + "\n")
    (bench.folder / "b.nwk").write_text(second + "\n")
    bench.row(f"Robinson–Foulds of two trees, {tips:,} tips", 4,
              ["compare", "a.nwk", "b.nwk", "-q"], ("rapidtrees", "two.nwk"), nothing)
    trees, tips = (20, 50) if bench.quick else (1000, 1000)
    with open(bench.folder / "many.nwk", "w") as file:
        file.writelines(joined(tips, 7 + k // 10) + "\n" for k in range(trees))
    bench.row(f"the same, all pairs of {trees:,} trees × {tips:,} tips", 2,
              ["compare", "many.nwk", "--matrix", "-o", "ours.npy", "-q"],
              ("rapidtrees", "many.nwk"), nothing)


def edit(bench):
    tips = bench.size(1_000_000)
    tree = bench.tree(tips)
    draw = random.Random(8)
    kept = draw.sample(range(tips), tips // 2)
    (bench.folder / "keep.txt").write_text("".join(f"t{i}\n" for i in sorted(kept)))
    jobs = [("prune half", ["prune", tree, "--keep", "@keep.txt"]),
            ("reroot at a tip", ["reroot", tree, "--outgroup", "t1"]),
            ("collapse branches below 0.05", ["collapse", tree, "--shorter-than", "0.05"])]
    for job, ours in jobs:
        bench.row(f"{job}, {tips:,} tips, reading and writing", 12, [*ours, "-o", "ours.nwk", "-q"],
                  (f"ape {job.split()[0]}", tree, "keep.txt"), nothing)
    tips = bench.size(100_000)
    tree = bench.tree(tips)
    bench.row(f"minimum-variance root, {tips:,} tips", 100,
              ["reroot", tree, "--min-variance", "-o", "ours.nwk", "-q"], ("FastRoot", tree), same_variance)


def floor(bench, size):
    """What the system takes to write so many bytes, by a program that does nothing else."""
    least = Least()
    for _ in range(bench.turns):
        least.turn(["/bin/dd", "if=/dev/zero", "of=floor", "bs=1M", "iflag=count_bytes", f"count={size}"], bench.folder)
        (bench.folder / "floor").unlink()
    bench.lines.append(f"| writing as many bytes and nothing else ({size / 1e6:.0f} MB) | | | dd | {least.whole:.2f} | | |")
    print(bench.lines[-1], flush=True)


def distances(bench):
    for tips, some, goal in [(bench.size(100_000), 1000, 25), (bench.size(10_000), 10_000, 20)]:
        tree, some = bench.tree(tips), min(some, tips)
        names = [f"t{i * (tips // some)}" for i in range(some)]
        (bench.folder / "asked").write_text("\n".join(names) + "\n")
        which = f"{some:,} of {tips:,}" if some < tips else f"all {tips:,}"
        # Goals are of the job alone: what they were set beside has no file, either.
        for job, by_job in [("without reading and writing", True), ("from file to file", False)]:
            bench.row(f"distances of {which} tips, {job}", goal if by_job else None,
                      ["distance", tree, "--matrix", "--of", "@asked", "-o", "ours.npy"] + ["-q"] * (not by_job),
                      ("scikit-bio", tree, "asked"), same_rows, by_job=by_job, whole=not by_job)
    floor(bench, (bench.folder / "ours.npy").stat().st_size)


def columns(bench):
    """Sums of many columns, which no peer has: nanoseconds per value, as the study of folds measures them."""
    if bench.study is None:
        return
    text = subprocess.run([bench.study, "fold"], capture_output=True, text=True, check=True).stdout
    for line in text.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if cells[0].endswith("per value"):
            met = "" if cells[3] == "yes" else ", missed"
            bench.lines.append(f"| {cells[0]} | | | – | | {cells[1]} | {cells[2]}{met} |")
            print(bench.lines[-1], flush=True)


JOBS = {"diversity": diversity, "parsimony": parsimony, "compare": compare, "edit": edit, "distances": distances,
        "columns": columns}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("palmette")
    parser.add_argument("--jobs", nargs="+", choices=JOBS, default=list(JOBS))
    parser.add_argument("--turns", type=int, default=6)
    parser.add_argument("--quick", action="store_true", help="small inputs: do the commands run")
    parser.add_argument("--study", metavar="PROGRAM", help="palmette-bench, for sums of many columns")
    parser.add_argument("--write", help="the page whose table between <!-- phylo --> marks is replaced")
    arguments = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="palmette-phylo-"))
    bench = Bench(arguments, folder)
    try:
        for name in arguments.jobs:
            JOBS[name](bench)
    finally:
        shutil.rmtree(folder)
    head = ["| job | ours, s | MB | peer | s | goal: times faster | measured |", "|---|---:|---:|---|---:|---:|---:|"]
    table = "\n".join(head + bench.lines)
    print(table)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, _, rest = page.read_text().partition("<!-- phylo -->")
        _, _, after = rest.partition("<!-- /phylo -->")
        page.write_text(f"{before}<!-- phylo -->\n\n{table}\n<!-- /phylo -->{after}")


if __name__ == "__main__":
    main()
