"""AC power flow of feeders: ours beside power-grid-model (its iterative-current method).

    python benches/power_flow.py WORKER [--quick] [--write docs/benchmarks.md]

WORKER is the example `flow_turns` of crates/power. Both solve the same random feeders (500 buses each,
lowest voltage 0.93, numbers shuffled) to 1e-8 p.u. with one thread, in turns; seconds of processor, the
least of a few turns. Lowest voltages are compared before a time is printed. Times of a single solution are
those of a network that is ready (power-grid-model: the model is built); "first" includes building.
"""

import argparse
import os
import pathlib
import resource
import subprocess
import sys
import tempfile

import numpy as np

GOALS = {"single": 10, "three-phase": 12, "batch": 15, "first": 15}


def spent():
    return resource.getrusage(resource.RUSAGE_SELF).ru_utime + resource.getrusage(resource.RUSAGE_SELF).ru_stime


class Worker:
    def __init__(self, program, folder, buses):
        environment = {**os.environ, "RAYON_NUM_THREADS": "1"}
        self.process = subprocess.Popen([program, folder, str(buses)], stdin=subprocess.PIPE,
                                        stdout=subprocess.PIPE, text=True, env=environment)
        assert self.process.stdout.readline() == "ready\n"

    def turn(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        return float(self.process.stdout.readline())

    def end(self):
        self.process.stdin.close()
        self.process.wait()


class Peer:
    """The same feeder in power-grid-model."""

    def __init__(self, folder, buses, three=False):
        import power_grid_model as pgm

        self.pgm = pgm
        read = lambda name: np.fromfile(folder / name)  # noqa: E731
        m = buses - 1
        node = pgm.initialize_array("input", "node", buses)
        node["id"], node["u_rated"] = np.arange(buses), 10e3
        line = pgm.initialize_array("input", "line", m)
        line["id"] = buses + np.arange(m)
        line["from_node"], line["to_node"] = read("from"), read("to")
        line["from_status"] = line["to_status"] = 1
        ohm = 100.0
        line["r1"], line["x1"], line["c1"] = read("r") * ohm, read("x") * ohm, read("b") / ohm / (2 * np.pi * 50)
        line["tan1"], line["i_n"] = 0, 1e3
        line["r0"], line["x0"], line["c0"], line["tan0"] = 3 * line["r1"], 3 * line["x1"], line["c1"], 0
        bus, self.p, self.q = read("load_bus"), read("p") * 1e6, read("q") * 1e6
        kind = "asym_load" if three else "sym_load"
        load = pgm.initialize_array("input", kind, len(bus))
        load["id"] = 3 * buses + np.arange(len(bus))
        load["node"], load["status"], load["type"] = bus, 1, pgm.LoadGenType.const_power
        if three:
            phase = np.round(np.log2(np.maximum(read("load_phase") * 2, 1))).astype(int)
            p, q = np.zeros((len(bus), 3)), np.zeros((len(bus), 3))
            p[np.arange(len(bus)), phase], q[np.arange(len(bus)), phase] = self.p / 1.5, self.q / 1.5
            load["p_specified"], load["q_specified"] = p, q
        else:
            load["p_specified"], load["q_specified"] = self.p, self.q
        source = pgm.initialize_array("input", "source", 1)
        source["id"], source["node"], source["status"], source["u_ref"] = 4 * buses, read("source"), 1, 1.0
        source["sk"], source["rx_ratio"], source["z01_ratio"] = 1e20, 0.1, 1.0
        self.input = {"node": node, "line": line, kind: load, "source": source}
        self.ids, self.symmetric = load["id"], not three
        self.model = None

    def build(self):
        self.model = self.pgm.PowerGridModel(self.input, system_frequency=50)

    def solve(self, update=None):
        method = self.pgm.CalculationMethod.iterative_current
        return self.model.calculate_power_flow(
            symmetric=self.symmetric, error_tolerance=1e-8, max_iterations=50, calculation_method=method,
            update_data=update, threading=-1, output_component_types=["node"])

    def cases(self, factors):
        update = self.pgm.initialize_array("update", "sym_load", factors.shape)
        update["id"] = self.ids
        update["p_specified"], update["q_specified"] = factors * self.p, factors * self.q
        return {"sym_load": update}


def timed(work):
    start = spent()
    answer = work()
    return spent() - start, answer


def same(ours, theirs, most=1e-6):
    off = float(np.abs(np.asarray(ours) - np.asarray(theirs)).max())
    assert off < most, f"answers differ by {off}"


def compare(program, buses, rounds, jobs):
    """Rows of the table for one size."""
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        worker = Worker(program, name, buses)
        times = {}

        def note(job, ours, theirs):
            best = times.setdefault(job, [np.inf, np.inf])
            best[0], best[1] = min(best[0], ours), min(best[1], theirs)

        # Ours are short: the system counts a program's time in steps of some milliseconds.
        turns, many = max(1, 200_000 // buses), max(1, 20_000_000 // buses)
        peer = Peer(folder, buses)
        for _ in range(rounds if "first" in jobs else 1):
            some = max(1, turns // 4)
            theirs, _ = timed(lambda: [(peer.build(), peer.solve()) for _ in range(some)])
            if "first" in jobs:
                note("first", worker.turn(f"first {max(1, many // 10)}"), theirs / some)
        for _ in range(rounds if "single" in jobs else 0):
            theirs, answer = timed(lambda: [peer.solve() for _ in range(turns)][-1])
            note("single", worker.turn(f"single {many}"), theirs / turns)
            same(np.fromfile(folder / "single"), answer["node"]["u_pu"])
        for job in jobs:
            if not job.startswith("batch"):
                continue
            cases = int(job.split()[1])
            factors = np.random.default_rng(1).uniform(0.2, 1.0, (cases, len(peer.p)))
            factors.tofile(folder / "factors")
            update = peer.cases(factors)
            for _ in range(min(rounds, 3)):
                theirs, answer = timed(lambda: peer.solve(update))
                note(f"batch of {cases:,}", worker.turn(f"batch {cases}"), theirs)
                same(np.fromfile(folder / "batch"), answer["node"]["u_pu"].min(axis=1))
            del update, factors
        if "three-phase" in jobs:
            worker.turn("three 1")
            peer = Peer(folder, buses, three=True)
            peer.build()
            fewer = max(1, turns // 4)
            for _ in range(rounds):
                theirs, answer = timed(lambda: [peer.solve() for _ in range(fewer)][-1])
                note("three-phase", worker.turn(f"three {max(1, many // 5)}"), theirs / fewer)
                same(np.fromfile(folder / "three"), answer["node"]["u_pu"].ravel())
        worker.end()
    rows = []
    for job, (ours, theirs) in times.items():
        # The goal of building is for large feeders.
        goal = GOALS[job.split()[0]] if job != "first" or buses >= 1_000_000 else "–"
        rows.append(f"| {buses:,} | {job} | {ours:.3g} | {theirs:.3g} | {theirs / ours:.1f} | {goal} |")
        print(rows[-1], flush=True)
    return rows


def alone(program, buses, turn):
    """Seconds and peak memory of one job of ours; memory is that of the whole program."""
    with tempfile.TemporaryDirectory() as name:
        worker = Worker(program, name, buses)
        seconds = worker.turn(turn)
        memory = worker.turn("memory")
        worker.end()
    return seconds, memory


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("worker")
    parser.add_argument("--quick", action="store_true", help="the two smallest sizes")
    parser.add_argument("--write", help="the page whose table between <!-- power-flow --> marks is replaced")
    arguments = parser.parse_args()
    plan = [(1_000, 5, ["first", "single", "batch 1000", "three-phase"]),
            (10_000, 5, ["first", "single", "batch 1000", "three-phase"]),
            (100_000, 3, ["first", "single", "three-phase"]),
            (1_000_000, 2, ["first", "single"])]
    rows = ["| buses | job | ours, s | power-grid-model, s | times | goal |", "|---:|---|---:|---:|---:|---:|"]
    for buses, rounds, jobs in plan[:2] if arguments.quick else plan:
        rows += compare(arguments.worker, buses, rounds, jobs)
    if not arguments.quick:
        rows += ["", "| alone | seconds | MB | goal |", "|---|---:|---:|---|"]
        for what, buses, turn, goal in [
            ("10^6 buses, built and solved", 1_000_000, "first", "0.55 s, 250 MB"),
            ("8,760 hours of 10^4 buses", 10_000, "year 8760", "4 s, 150 MB"),
        ]:
            seconds, memory = alone(arguments.worker, buses, turn)
            rows.append(f"| {what} | {seconds:.3g} | {memory:.0f} | {goal} |")
            print(rows[-1], flush=True)
    if arguments.write:
        page = pathlib.Path(arguments.write)
        before, rest = page.read_text().split("<!-- power-flow -->")
        after = rest.split("<!-- /power-flow -->")[1]
        table = "\n".join(rows)
        page.write_text(f"{before}<!-- power-flow -->\n\n{table}\n\n<!-- /power-flow -->{after}")


if __name__ == "__main__":
    sys.exit(main())
