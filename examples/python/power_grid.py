# %% [markdown]
# # A power grid in scipy
# The voltages of a power grid solve a linear system with a Laplacian. scipy's conjugate
# gradients need many iterations for it; with our preconditioners as `M` they need few.

# %%
import os
import time
from pathlib import Path

# Vectors are short: threads of numpy's BLAS would only get into each other's way.
os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import LinearOperator, cg

import palmette

PAD_VOLTS = 1.8
FOLDER = Path(__file__).resolve().parents[3] / "shared" / "data" / "powergrid"


def made_up(side: int, seed: int) -> palmette.Graph:
    """A square grid whose wires differ, with pads in its corners."""
    random = np.random.default_rng(seed)
    number = np.arange(side * side).reshape(side, side)
    u = np.concatenate([number[:, :-1].ravel(), number[:-1].ravel()])
    v = np.concatenate([number[:, 1:].ravel(), number[1:].ravel()])
    weights = 10.0 ** random.uniform(-2, 1, len(u))
    wires = sparse.coo_array((weights, (u, v)), shape=(side**2, side**2))
    wires = wires + wires.T
    diagonal = wires.sum(axis=1)
    diagonal[number[[0, 0, -1, -1], [0, -1, 0, -1]]] += 100.0
    return palmette.Graph.from_scipy(sparse.diags_array(diagonal) - wires)


netlist = FOLDER / "ibmpg1.spice"
if netlist.exists():
    graph = palmette.Graph.read(netlist)
    loads, supplies = graph.loads, graph.supplies
else:
    print("ibmpg1.spice is not here: a made-up grid stands in for it")
    graph = made_up(120, 1)
    loads = -np.random.default_rng(2).exponential(1e-3, len(graph))
    supplies = PAD_VOLTS * graph.ground
currents = loads + supplies
matrix = graph.laplacian()
print(graph)

# %% [markdown]
# ## scipy's conjugate gradients with different preconditioners

# %%
TOLERANCE = 1e-8


def solve(name, inverse):
    """Solves with scipy; returns potentials, iterations and seconds."""
    count = 0

    def step(_):
        nonlocal count
        count += 1

    start = time.perf_counter()
    M = inverse()
    x, failed = cg(matrix, currents, rtol=TOLERANCE, M=M, callback=step, maxiter=20_000)
    seconds = time.perf_counter() - start
    assert failed == 0, name
    assert np.linalg.norm(matrix @ x - currents) <= 10 * TOLERANCE * np.linalg.norm(currents)
    print(f"{name:22} {count:6} iterations {seconds * 1e3:10.1f} ms")
    return x, count, seconds


diagonal = matrix.diagonal()
jacobi = LinearOperator(matrix.shape, matvec=lambda r: r.ravel() / diagonal, dtype=float)
runs = {
    "none": solve("none", lambda: None),
    "Jacobi in numpy": solve("Jacobi in numpy", lambda: jacobi),
}
for name in ("sparsifier", "approximate-cholesky", "direct"):
    runs[name] = solve(name, lambda: graph.preconditioner(name))

plain = runs["none"][1]
assert runs["sparsifier"][1] < plain / 3
assert runs["approximate-cholesky"][1] < plain / 3
assert runs["direct"][1] <= 3
for x, _, _ in runs.values():
    np.testing.assert_allclose(x, runs["direct"][0], rtol=1e-4, atol=1e-5)

# %% [markdown]
# ## All of it here
# The same without scipy: one call, with the setup shared by several right-hand sides. What if
# the circuit draws nothing, or twice as much? Loads change, supplies stay.

# %%
start = time.perf_counter()
cases = np.stack([supplies + factor * loads for factor in (1, 0, 2)], axis=1)
x, info = graph.solve(cases, tolerance=TOLERANCE)
seconds = time.perf_counter() - start
print(f"palmette, {info.preconditioner}: {info.iterations} iterations {seconds * 1e3:.1f} ms "
      f"for three right-hand sides; scipy without preconditioner takes "
      f"{runs['none'][2] / seconds:.1f} times as long for one")
np.testing.assert_allclose(x[:, 0], runs["direct"][0], rtol=1e-4, atol=1e-5)
# Twice the load, twice the drop; and nowhere more than the pads have.
drop = x[:, [1]] - x
np.testing.assert_allclose(drop[:, 2], 2 * drop[:, 0], rtol=1e-4, atol=1e-5)
assert PAD_VOLTS - 1e-4 < x.max() < PAD_VOLTS + 1e-4

# %% [markdown]
# ## Voltages of nodes
# A netlist knows its nodes. The benchmark comes with a solution.

# %%
if graph.nodes is not None:
    volts = graph.voltages(x)
    once, _, twice = np.abs(volts - volts[:, [1]]).max(axis=0)
    print(f"loads move nodes by up to {once:.3f} V, twice the loads by {twice:.3f} V")
    assert abs(twice - 2 * once) < 1e-4
    assert -1e-4 < volts.min() and volts.max() < PAD_VOLTS + 1e-4
    voltages = dict(zip(graph.nodes, volts[:, 0], strict=True))
    voltages["G"] = 0.0
    lines = (FOLDER / "ibmpg1.solution").read_text().splitlines()
    published = {node: float(volts) for node, volts in map(str.split, lines)}
    worst = max(abs(voltages[node] - volts) for node, volts in published.items())
    print(f"the published voltages of {len(published)} nodes differ by at most {worst:.1e} V")
    assert worst < 1e-3
    idle = dict(zip(graph.nodes, volts[:, 1], strict=True)) | {"G": 0.0}
    moved = max(abs(volts - idle[node]) for node, volts in published.items())
    assert abs(moved - once) < 1e-3
