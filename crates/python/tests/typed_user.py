"""What a type checker sees of us; mypy reads this, nobody runs it."""

import numpy as np
from numpy.typing import NDArray

import palmette


def sizes(parents: NDArray[np.int32]) -> NDArray[np.int64]:
    tree = palmette.Tree.from_parents(parents, threads=2)
    ancestor: int = tree.lca(0, 1)
    assert tree.label(ancestor)
    return tree.sizes()


def potentials(graph: palmette.Graph, b: NDArray[np.float64]) -> tuple[NDArray[np.float64], int]:
    x, info = graph.solve(b, tolerance=1e-8)
    return x, info.iterations


def loads(mesh: palmette.Mesh) -> int:
    mapping = mesh.map("torus:8x8")
    return mapping.hopsum + (mapping.max_link_load or 0)


def energy(tree: palmette.Tree) -> float:
    record = palmette.spatial.run("treefix", tree)
    return float(record.result["energy"])
