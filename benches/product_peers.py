"""One peer's product on the matrix that bench-mesh-run wrote; prints one JSON object.

Called as: product_peers.py DIRECTORY scipy|petsc ROUNDS; for PETSc on ranks, by mpirun. As
product_peers.py find-petsc it fails when there is no PETSc. The directory has offsets.npy,
columns.npy and values.npy, the rows of a square matrix, and x.npy. The best of some rounds of
ten products counts.
"""

import json
import sys
import time
from glob import glob
from pathlib import Path

import numpy as np

PRODUCTS = 10


def read(folder):
    load = lambda what: np.load(folder / f"{what}.npy")
    offsets, columns = load("offsets").astype(np.int32), load("columns").astype(np.int32)
    return offsets, columns, load("values"), load("x")


def best_of(rounds, product, together):
    best = float("inf")
    for _ in range(rounds):
        together()
        start = time.perf_counter()
        for _ in range(PRODUCTS):
            product()
        together()
        best = min(best, time.perf_counter() - start)
    return 1e3 * best / PRODUCTS


def scipy(folder, rounds):
    import scipy.sparse as sp
    from scipy.sparse import _sparsetools

    offsets, columns, values, x = read(folder)
    n = offsets.size - 1
    matrix = sp.csr_array((values, columns, offsets), shape=(n, n))
    y = np.zeros(n)

    def product():
        # As `matrix @ x`, without asking for fresh memory each time.
        y.fill(0.0)
        _sparsetools.csr_matvec(n, n, matrix.indptr, matrix.indices, matrix.data, x, y)

    plain = best_of(rounds, lambda: matrix @ x, lambda: None)
    bare = best_of(rounds, product, lambda: None)
    return {"milliseconds": min(plain, bare), "norm": float(np.linalg.norm(y))}


def find_petsc():
    """Debian links its module into Python's path only where PETSc's headers are, too."""
    sys.path += glob("/usr/lib/petscdir/*/*-real/lib/python3/dist-packages")
    import petsc4py

    return petsc4py


def petsc(folder, rounds):
    petsc4py = find_petsc()
    petsc4py.init([])
    from petsc4py import PETSc

    world = PETSc.COMM_WORLD
    offsets, columns, values, x = read(folder)
    n, rank, ranks = offsets.size - 1, world.getRank(), world.getSize()
    low, high = rank * n // ranks, (rank + 1) * n // ranks
    entries = slice(offsets[low], offsets[high])
    rows = (offsets[low : high + 1] - offsets[low], columns[entries], values[entries])
    size = (high - low, n)
    matrix = PETSc.Mat().createAIJ(size=(size, size), csr=rows, comm=world)
    vector, product = matrix.createVecRight(), matrix.createVecLeft()
    vector.setArray(x[low:high])
    milliseconds = best_of(rounds, lambda: matrix.mult(vector, product), world.barrier)
    norm = product.norm()
    return {"milliseconds": milliseconds, "norm": norm} if rank == 0 else None


def main():
    if sys.argv[1:] == ["find-petsc"]:
        find_petsc()
        return
    folder, peer, rounds = Path(sys.argv[1]), sys.argv[2], int(sys.argv[3])
    result = {"scipy": scipy, "petsc": petsc}[peer](folder, rounds)
    if result is not None:
        print(json.dumps(result))


main()
