"""Transients of chips' grids beside scipy: one factor, a thousand steps.

    python benches/power_transient.py PALMETTE [--sizes 100 300] [--steps 1000] [--turns 3] [--write docs/benchmarks.md]

Both do the trapezoidal rule on the same netlist, made by `palmette power generate`: scipy factors the matrix once with SuperLU
(its default column ordering) and solves with it in every step, as `tran_oracle` programs do; what surrounds the solves is vectorised
numpy. Times are processor seconds of factor and steps, without reading the netlist, the best of several turns that alternate.
Waveforms of both are compared. ngspice factors in every step: 11,254 nodes take about 2.1 s per step.
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile
import time

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import splu

SCALE = {"": 1.0, "f": 1e-15, "p": 1e-12, "n": 1e-9, "u": 1e-6, "m": 1e-3}


def number(word):
    digits, scale = re.fullmatch(r"([-+0-9.e]+?)([fpnum]?)", word).groups()
    return float(digits) * SCALE[scale]


def read(path):
    """Nodes and elements of what `power generate` writes: no subcircuits, no expressions."""
    nodes, elements = {"0": 0}, []
    for line in open(path):
        words = line.replace("(", " ").replace(")", " ").split()
        if not words or words[0][0] in "*.":
            continue
        ends = [nodes.setdefault(word, len(nodes)) for word in words[1:3]]
        values = [number(word) for word in words[3:] if word != "PULSE"]
        elements.append((words[0][0], *ends, values))
    return nodes, elements


def scipy_transient(nodes, elements, step, steps, probe):
    """Nodes at fixed potentials leave the system; the rest is nodal analysis with companion models."""
    fixed = np.full(len(nodes), np.nan)
    fixed[0] = 0.0
    for kind, a, b, values in elements:
        if kind == "V":
            fixed[a] = values[0]
    free = np.flatnonzero(np.isnan(fixed))
    place = np.full(len(nodes), -1)
    place[free] = np.arange(len(free))
    by = {k: [(a, b, v) for kind, a, b, v in elements if kind == k] for k in "RCLI"}
    ends = {k: np.array([(a, b) for a, b, _ in by[k]]).reshape(-1, 2) for k in "RCLI"}
    value = {k: np.array([v[0] for *_, v in by[k]]) for k in "RCL"}

    def incidence(k):
        rows, columns, signs = [], [], []
        for side, sign in ((0, 1.0), (1, -1.0)):
            own = place[ends[k][:, side]]
            known = own >= 0
            rows.append(np.flatnonzero(known)), columns.append(own[known]), signs.append(np.full(known.sum(), sign))
        shape = (len(ends[k]), len(free))
        return sparse.csr_array((np.concatenate(signs), (np.concatenate(rows), np.concatenate(columns))), shape=shape)

    held = {k: np.where(np.isnan(fixed), 0.0, fixed)[ends[k]] @ [1.0, -1.0] for k in "RCLI"}
    matrix = {k: incidence(k) for k in "RCLI"}
    # Before the pulse stands its mean, for the operating point.
    pulse = np.array([v[-7:] for *_, v in by["I"]])

    def loads(time_):
        low, high, delay, rise, fall, width, period = pulse.T
        since = time_ - delay
        since = np.where(since > period, np.mod(since, period), since)
        return low + (high - low) * np.clip(
            np.minimum(since / rise, (rise + width + fall - since) / fall), 0.0, 1.0)

    g = {"R": 1 / value["R"], "C": 2 * value["C"] / step, "L": step / (2 * value["L"])}
    # At rest: capacitors open, inductors short (here 10^9 siemens beside conductances of 10).
    rest = {"R": g["R"], "C": 0 * g["C"] + 1e-15, "L": 0 * g["L"] + 1e9}

    def assembled(g):
        return sum(matrix[k].T @ sparse.diags_array(g[k]) @ matrix[k] for k in "RCL").tocsc()

    def source(g, time_):
        return -sum(matrix[k].T @ (g[k] * held[k]) for k in "RCL") - matrix["I"].T @ loads(time_)

    x = splu(assembled(rest)).solve(source(rest, 0.0))
    # Inductors carry what flows out of their resistors.
    across = {k: matrix[k] @ x + held[k] for k in "CL"}
    flow = {"C": 0 * across["C"], "L": rest["L"] * across["L"]}
    across["L"] *= 0.0
    transposed = {k: matrix[k].T.tocsr() for k in "CLI"}
    constant = -sum(matrix[k].T @ (g[k] * held[k]) for k in "RCL")
    start = time.process_time()
    factor = splu(assembled(g))
    memory = {"C": -(g["C"] * across["C"] + flow["C"]), "L": g["L"] * across["L"] + flow["L"]}
    wave = [x[place[probe]]]
    for k in range(1, steps + 1):
        b = constant - transposed["I"] @ loads(k * step)
        for kind in "CL":
            b -= transposed[kind] @ memory[kind]
        x = factor.solve(b)
        wave.append(x[place[probe]])
        memory["C"] = -2 * g["C"] * (matrix["C"] @ x + held["C"]) - memory["C"]
        memory["L"] = 2 * g["L"] * (matrix["L"] @ x + held["L"]) + memory["L"]
    return time.process_time() - start, np.array(wave), len(free)


def ours(palmette, path, step, steps, node, folder):
    """Factor and steps by the record; one thread, so that wall is processor time on a quiet machine."""
    out = folder / "waves.npy"
    command = [palmette, "power", "transient", path, "--step", f"{step:g}", "--stop", f"{step * steps:g}", "--node", node,
               "-o", out, "--json", "--threads", "1"]
    before = children()
    done = subprocess.run(list(map(str, command)), check=True, capture_output=True, text=True)
    processor = children() - before
    result = json.loads(done.stdout)
    seconds = result["seconds"]
    share = (seconds["factor"] + seconds["steps"]) / sum(seconds.values())
    # Of the processor's seconds, those of the phase.
    return processor * share, np.load(out)[:, 1], result["result"]


def children():
    import resource

    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("palmette")
    parser.add_argument("--sizes", type=int, nargs="+", default=[30, 100, 300])
    parser.add_argument("--steps", type=int, default=1000)
    parser.add_argument("--turns", type=int, default=3)
    parser.add_argument("--write", help="the page whose table between <!-- power-transient --> marks is replaced")
    options = parser.parse_args()
    folder = pathlib.Path(tempfile.mkdtemp(prefix="palmette-power-"))
    step, rows = 10e-12, []
    for size in options.sizes:
        path = folder / f"grid{size}.spice"
        subprocess.run([options.palmette, "power", "generate", f"grid:{size}x{size}", "-o", path, "-q"], check=True)
        nodes, elements = read(path)
        node = f"n1_{size // 2}_{size // 2}"
        best = [np.inf, np.inf]
        for _ in range(options.turns):
            seconds, wave, result = ours(options.palmette, path, step, options.steps, node, folder)
            theirs, reference, unknowns = scipy_transient(nodes, elements, step, options.steps, nodes[node])
            best = [min(best[0], seconds), min(best[1], theirs)]
        apart = np.abs(wave - reference).max()
        assert apart < 1e-6, f"waveforms differ by {apart} V"
        rows.append((unknowns, result["factor_entries"], *best, best[1] / best[0], apart))
        print(f"{unknowns} unknowns: ours {best[0]:.2f} s, SuperLU {best[1]:.2f} s, ratio {best[1] / best[0]:.2f}, apart {apart:.1e} V")
    lines = ["| unknowns | entries of our factor | ours s | SuperLU s | ratio | waveforms apart V |", "|---:|---:|---:|---:|---:|---:|"]
    lines += [f"| {n:,} | {e:,} | {a:.2f} | {b:.2f} | {r:.1f} | {d:.0e} |" for n, e, a, b, r, d in rows]
    if options.write:
        page = pathlib.Path(options.write)
        before, _, rest = page.read_text().partition("<!-- power-transient -->")
        _, _, after = rest.partition("<!-- /power-transient -->")
        page.write_text(f"{before}<!-- power-transient -->\n\n" + "\n".join(lines) + f"\n\n<!-- /power-transient -->{after}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
