"""One peer on the system that bench-solve wrote; prints one JSON object.

Called as: solve_peers.py DIRECTORY PEER BYTES. The directory has offsets.npy,
neighbours.npy and weights.npy, the rows of a symmetric matrix of weights, and
currents.npy, which add up to zero. The Laplacian is singular: but for plain conjugate
gradients the last vertex is grounded, its row and column left out. Potentials go to potentials.npy, for the caller to check.
Assembly is not timed. At most BYTES of memory may be asked for.
"""

import json
import resource
import sys
import time
from pathlib import Path

import numpy as np
import scipy.sparse as sp
import scipy.sparse.linalg as sla

TOLERANCE = 1e-6
ROUNDS, PATIENCE = 3, 5.0


def pyamg_solve(make):
    def work(matrix, b):
        residuals = []
        x = make(matrix).solve(b, tol=TOLERANCE, accel="cg", maxiter=2000, residuals=residuals)
        return x, len(residuals) - 1

    return work


def pyamg_sa():
    import pyamg

    return pyamg_solve(pyamg.smoothed_aggregation_solver)


def pyamg_rs():
    import pyamg

    return pyamg_solve(pyamg.ruge_stuben_solver)


def amgcl_rs():
    import pyamgcl

    def work(matrix, b):
        hierarchy = pyamgcl.amg(matrix, {"coarsening.type": "ruge_stuben"})
        solve = pyamgcl.solver(hierarchy, {"type": "cg", "tol": TOLERANCE, "maxiter": 2000})
        return solve(b), solve.iters

    return work


def cholmod():
    from sksparse.cholmod import cholesky

    return lambda matrix, b: (cholesky(matrix.tocsc())(b), None)


def superlu():
    def work(matrix, b):
        options = {"SymmetricMode": True}
        factor = sla.splu(
            matrix.tocsc(), permc_spec="MMD_AT_PLUS_A", diag_pivot_thresh=0.0, options=options
        )
        return factor.solve(b), None

    return work


def jacobi():
    def work(matrix, b):
        count = [0]

        def step(_):
            count[0] += 1

        inverse = sp.diags_array(1.0 / matrix.diagonal())
        x, _ = sla.cg(matrix, b, rtol=TOLERANCE, maxiter=100_000, M=inverse, callback=step)
        return x, count[0]

    return work


PEERS = {
    "pyamg SA": pyamg_sa,
    "pyamg RS": pyamg_rs,
    "AMGCL RS": amgcl_rs,
    "CHOLMOD": cholmod,
    "scipy SuperLU": superlu,
    "scipy CG, Jacobi": jacobi,
}


# Whoever takes a singular matrix.
SINGULAR = {"scipy CG, Jacobi"}


def laplacian(folder, grounded):
    read = lambda what: np.load(folder / f"{what}.npy")
    offsets, neighbours = read("offsets").astype(np.int32), read("neighbours").astype(np.int32)
    n = offsets.size - 1
    weights = sp.csr_array((read("weights"), neighbours, offsets), shape=(n, n))
    matrix = sp.csr_array(sp.diags_array(weights.sum(axis=1)) - weights)
    size = n - 1 if grounded else n
    matrix = sp.csr_matrix(matrix[:size, :size])
    matrix.sort_indices()
    return matrix, read("currents")[:size]


def measure(folder, peer):
    work = PEERS[peer]()
    grounded = peer not in SINGULAR
    matrix, b = laplacian(folder, grounded)
    seconds, begin = float("inf"), time.perf_counter()
    for turn in range(ROUNDS):
        if turn > 0 and time.perf_counter() - begin > PATIENCE:
            break
        start = time.perf_counter()
        x, iterations = work(matrix, b)
        seconds = min(seconds, time.perf_counter() - start)
    np.save(folder / "potentials.npy", np.append(x, 0.0) if grounded else x)
    return {"seconds": seconds, "iterations": iterations}


def main():
    folder, peer, most = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
    try:
        result = measure(folder, peer)
    except ImportError as error:
        result = {"failed": f"not there: {error}"}
    except MemoryError:
        result = {"failed": f"more than {most >> 30} GB"}
    except Exception as error:
        memory = "memory" in f"{type(error).__name__} {error}".lower()
        result = {"failed": f"more than {most >> 30} GB" if memory else f"failed: {error}"}
    print(json.dumps(result))


main()
