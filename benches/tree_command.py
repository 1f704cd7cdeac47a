"""From a table of parents to a table of sums: the command beside what a data engineer would write.

    python benches/tree_command.py PALMETTE [--rows N] [--write README.md] [--write-phases docs/benchmarks.md]

Every contestant reads `id,parent,kg` from a CSV file, sums kg over all subtrees and writes a CSV file.
The tree is random; the best of a few turns counts, the whole process
included, and all sums are compared.

A second table has the phases of the command on ten times as many rows. An answer may need the last row, so
that what it cannot do without is to read and then to write: the goal is at most 1.2 times the slower of these.

A third table has the phase `compute` of the command beside the library's one-shot aggregate of the
same arrays, which is its floor: the goal is at most 1.2 times. --write-phases puts both into a file.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

import numpy as np

from tree_tables import write_between

DUCKDB = """
import duckdb
duckdb.sql("SET threads = 2")
duckdb.sql(\"\"\"COPY (
WITH RECURSIVE t AS (SELECT * FROM read_csv('in.csv')),
up AS (SELECT id AS above, parent, kg FROM t
       UNION ALL SELECT t.id, t.parent, up.kg FROM up JOIN t ON up.parent = t.id)
SELECT above AS id, sum(kg) AS sum FROM up GROUP BY above ORDER BY id) TO 'out.csv' (HEADER)\"\"\")
"""

LEVELS = """
import numpy as np
{read}
parent, kg = {parent}, {kg}
n = len(parent)
depth = np.zeros(n, np.int64)
at = parent.copy()
while (at >= 0).any():
    inside = at >= 0
    depth[inside] += 1
    at[inside] = parent[at[inside]]
order = np.argsort(depth, kind="stable")[::-1]
cuts = np.flatnonzero(np.diff(depth[order])) + 1
sums = kg.copy()
for level in np.split(order, cuts)[:-1]:
    np.add.at(sums, parent[level], sums[level])
{write}
"""

PANDAS = LEVELS.format(
    read='import pandas\ntable = pandas.read_csv("in.csv")',
    parent='table["parent"].fillna(-1).to_numpy(np.int64)', kg='table["kg"].to_numpy().copy()',
    write='pandas.DataFrame({"id": table["id"], "sum": sums}).to_csv("out.csv", index=False)')

POLARS = """
import polars as pl
table = pl.read_csv("in.csv")
level = table.filter(pl.col("parent").is_null()).select("id")
levels = []
while level.height:
    levels.append(level)
    level = table.select("id", "parent").join(level, left_on="parent", right_on="id", how="semi").select("id")
sums = table.select("id", "parent", sum=pl.col("kg"))
done = []
below = None
for level in reversed(levels):
    here = sums.join(level, on="id", how="semi")
    if below is not None:
        here = here.join(below, on="id", how="left").select(
            "id", "parent", sum=pl.col("sum") + pl.col("more").fill_null(0))
    done.append(here.select("id", "sum"))
    below = here.drop_nulls("parent").group_by("parent").agg(more=pl.col("sum").sum()).rename({"parent": "id"})
pl.concat(done).sort("id").write_csv("out.csv")
"""

NETWORKX = """
import csv, networkx
graph = networkx.DiGraph()
kg = {}
with open("in.csv") as file:
    for row in csv.DictReader(file):
        kg[row["id"]] = int(row["kg"])
        if row["parent"]:
            graph.add_edge(row["parent"], row["id"])
for v in networkx.dfs_postorder_nodes(graph, "0"):
    for child in graph.successors(v):
        kg[v] += kg[child]
with open("out.csv", "w") as file:
    file.write("id,sum\\n")
    file.writelines(f"{v},{kg[v]}\\n" for v in kg)
"""


def table(path, rows):
    """A random tree; every vertex hangs from an earlier one."""
    random = np.random.default_rng(1)
    parents = (random.random(rows) * np.arange(rows)).astype(np.int64)
    kg = random.integers(0, 1000, rows)
    with open(path, "w") as file:
        file.write(f"id,parent,kg\n0,,{kg[0]}\n")
        for start in range(1, rows, 1_000_000):
            end = min(rows, start + 1_000_000)
            ids = np.arange(start, end)
            file.writelines(f"{v},{p},{x}\n" for v, p, x in
                            zip(ids.tolist(), parents[start:end].tolist(), kg[start:end].tolist()))


def seconds(command, folder):
    start = time.perf_counter()
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=1800)
    if done.returncode:
        return None, done.stderr.strip().splitlines()[-1]
    return time.perf_counter() - start, None


#: The most that the whole may take of the slower of reading and writing, and that the phase `compute` may take
#: of the library's time.
COMPUTE = 1.2


def json_of(work, folder):
    """The seconds of the phases of a command that writes its record."""
    done = subprocess.run(work, cwd=folder, capture_output=True, text=True, check=True)
    return json.loads(done.stdout)["seconds"]


def whole(command, folder, rows, turns):
    """The phases of the command from CSV to CSV."""
    table(folder / "whole.csv", rows)
    lines = [f"| {rows:,} rows, from CSV to CSV | read, s | compute, s | write, s | all, s | of read and write "
             "| of the slower of these | wanted | holds |", "|---|---:|---:|---:|---:|---:|---:|---:|---|"]
    for threads in [1, 2]:
        work = [command, "tree", "leaffix", "whole.csv", "--op", "sum", "--values", "column:kg",
                "-o", "whole-out.csv", "--json", "--threads", str(threads)]
        spent = min((json_of(work, folder) for _ in range(turns)), key=lambda s: sum(s.values()))
        read, write, total = spent["read"], spent["write"], sum(spent.values())
        ratio = total / max(read, write)
        lines.append(
            f"| {threads} thread{'s' * (threads > 1)} | {read:.2f} | {total - read - write:.2f} | {write:.2f} "
            f"| {total:.2f} | {total / (read + write):.2f} | {ratio:.2f} | ≤ {COMPUTE} "
            f"| {'yes' if ratio <= COMPUTE else 'no'} |")
    return lines


def phases(command, folder, vertices, turns):
    """The phase `compute` of the command, and the library's one-shot on the same arrays."""
    import palmette

    lines = [f"| {vertices:,} vertices, one thread | pass | phase `compute`, ms | `build`, ms "
             "| the library's one-shot, ms | ratio | wanted | holds |",
             "|---|---|---:|---:|---:|---:|---:|---|"]
    random = np.random.default_rng(2)
    values = random.integers(0, 1000, vertices)
    np.save(folder / "values.npy", values)
    for labels in ["parents first", "shuffled"]:
        parents = (random.random(vertices) * np.arange(vertices)).astype(np.int32)
        parents[0] = -1
        if labels == "shuffled":
            number = random.permutation(vertices)
            above = np.full(vertices, -1, np.int32)
            above[number[1:]] = number[parents[1:]]
            parents = above
        np.save(folder / "parents.npy", parents)
        for way in ["leaffix", "rootfix"]:
            work = [command, "tree", way, "parents.npy", "--op", "sum", "--values", "values.npy",
                    "-o", "sums.npy", "--json", "--threads", "1"]
            best = {"compute": np.inf, "build": 0.0, "library": np.inf}
            for _ in range(turns):
                spent = json_of(work, folder)
                best["compute"] = min(best["compute"], spent["compute"])
                best["build"] = spent.get("build", 0.0)
                start = time.perf_counter()
                sums = getattr(palmette, way)(parents, values, threads=1)
                best["library"] = min(best["library"], time.perf_counter() - start)
            assert (np.load(folder / "sums.npy") == sums).all(), way
            ratio = best["compute"] / best["library"]
            lines.append(
                f"| {labels} | {way} | {best['compute'] * 1e3:.1f} | {best['build'] * 1e3:.1f} "
                f"| {best['library'] * 1e3:.1f} | {ratio:.2f} | ≤ {COMPUTE} "
                f"| {'yes' if ratio <= COMPUTE else 'no'} |")
    return lines


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("palmette")
    parser.add_argument("--rows", type=float, default=1e6)
    parser.add_argument("--vertices", type=float, default=1e7)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write")
    parser.add_argument("--write-phases")
    arguments = parser.parse_args()
    rows = int(arguments.rows)
    command = str(pathlib.Path(arguments.palmette).resolve())
    ours = [command, "tree", "leaffix", "in.csv", "--op", "sum", "--values", "column:kg", "-o", "out.csv", "-q"]
    contestants = {
        "`palmette tree leaffix in.csv --op sum --values column:kg -o out.csv`": (ours, arguments.turns),
        "polars, a join per level": ([sys.executable, "-c", POLARS], arguments.turns),
        "pandas, `numpy.add.at` per level": ([sys.executable, "-c", PANDAS], 1),
        "DuckDB, recursive query": ([sys.executable, "-c", DUCKDB], 1),
        "networkx, postorder": ([sys.executable, "-c", NETWORKX], 1),
    }
    lines = [f"| {rows:,} rows, from CSV to CSV | seconds | ratio |", "|---|---:|---:|"]
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        table(folder / "in.csv", rows)
        first = expected = None
        for name, (work, turns) in contestants.items():
            found = [seconds(work, folder) for _ in range(turns)]
            if any(error for _, error in found):
                lines.append(f"| {name} | {found[0][1][:60]} | |")
                continue
            best = min(time for time, _ in found)
            text = (folder / "out.csv").read_text().splitlines()[1:]
            sums = dict(line.split(",") for line in text)
            expected = expected or sums
            assert sums == expected, name
            first = first or best
            lines.append(f"| {name} | {best:.2f} | {best / first:.1f} |")
            print(lines[-1], flush=True)
        more = {
            "command-whole": whole(command, folder, 10 * rows, arguments.turns),
            "command-phases": phases(command, folder, int(arguments.vertices), arguments.turns),
        }
    print("\n".join(lines))
    for section, found in more.items():
        print("", *found, sep="\n")
        if arguments.write_phases:
            write_between(arguments.write_phases, section, found)
    if arguments.write:
        write_between(arguments.write, "command", lines)


if __name__ == "__main__":
    main()
