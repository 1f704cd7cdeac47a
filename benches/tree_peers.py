"""Peers from PyPI on the inputs that bench-tree wrote; prints one JSON object.

Called as: tree_peers.py DIRECTORY. The directory has, for every input NAME:
NAME.order.npy    vertices with all leaves first and every parent after its children
NAME.parents.npy  parents in that order (the root is its own parent)
NAME.values.npy   a value for every vertex in that order
NAME.pairs.npy    pairs of vertices in that order, one after another
Answers go to NAME.PEER.leaffix.npy and so on, for the caller to check.
"""

import json
import sys
import time
from pathlib import Path

import higra as hg
import networkx as nx
import numpy as np
import scipy.sparse as sp
from SuchTree import SuchTree
from scipy.sparse.csgraph import breadth_first_order

ROUNDS = 3


def best(work, rounds=ROUNDS):
    """The shortest of a few runs, and the last answer."""
    seconds, answer = float("inf"), None
    for _ in range(rounds):
        start = time.perf_counter()
        answer = work()
        seconds = min(seconds, time.perf_counter() - start)
    return seconds, answer


def higra(parents, values, pairs, save):
    made, tree = best(lambda: hg.Tree(parents), 1)
    at_leaves = values[: tree.num_leaves()].copy()
    sums = hg.Accumulators.sum
    leaffix, answer = best(lambda: hg.accumulate_and_add_sequential(tree, values, at_leaves, sums))
    save("leaffix", answer)
    rootfix, answer = best(lambda: hg.propagate_sequential_and_accumulate(tree, values, sums))
    save("rootfix", answer)
    prepared, _ = best(tree.lowest_common_ancestor_preprocess, 1)
    lca, answer = best(lambda: tree.lowest_common_ancestor(pairs[:, 0].copy(), pairs[:, 1].copy()))
    save("lca", answer)
    return {"make": made, "leaffix": leaffix, "rootfix": rootfix, "lca_prepare": prepared, "lca": lca / len(pairs)}


def scipy_levels(parents, values, save):
    """Breadth-first order from csgraph, then one numpy operation per level."""
    n = parents.size
    child = np.arange(n - 1)
    graph = sp.csr_matrix((np.ones(n - 1, dtype=np.int8), (parents[:-1], child)), shape=(n, n))

    def work():
        order, _ = breadth_first_order(graph, n - 1)
        depth = np.zeros(n, dtype=np.int64)
        for v in order[1:]:
            depth[v] = depth[parents[v]] + 1
        sums = values.copy()
        cuts = np.flatnonzero(np.diff(depth[order])) + 1
        for level in reversed(np.split(order, cuts)[1:]):
            np.add.at(sums, parents[level], sums[level])
        return sums

    seconds, answer = best(work, 1)
    save("leaffix", answer)
    return {"leaffix": seconds}


def networkx(parents, values, pairs, save):
    n = parents.size
    graph = nx.DiGraph()
    graph.add_nodes_from(range(n))
    graph.add_edges_from(zip(parents[:-1].tolist(), range(n - 1)))

    def work():
        sums = values.tolist()
        for v in nx.dfs_postorder_nodes(graph, n - 1):
            for c in graph.successors(v):
                sums[v] += sums[c]
        return np.array(sums)

    leaffix, answer = best(work, 1)
    save("leaffix", answer)
    few = [tuple(p) for p in pairs[:2000].tolist()]
    lca, answers = best(lambda: dict(nx.tree_all_pairs_lowest_common_ancestor(graph, n - 1, few)), 1)
    save("lca", np.array([answers.get((u, v), answers.get((v, u))) for u, v in few]))
    return {"leaffix": leaffix, "lca": lca / len(few)}


def such_tree(path, pairs, save):
    made, tree = best(lambda: SuchTree(str(path)), 1)
    names = tree.leaves
    index = np.array([[names[f"v{u}"], names[f"v{v}"]] for u, v in pairs.tolist()], dtype=np.int64)
    bulk = getattr(tree, "distances_bulk", None) or tree.distances
    seconds, answer = best(lambda: bulk(index))
    save("distance", np.asarray(answer))
    return {"make": made, "distance": seconds / len(pairs)}


def main():
    folder = Path(sys.argv[1])
    results = {}
    for file in sorted(folder.glob("*.parents.npy")):
        name = file.name.removesuffix(".parents.npy")
        read = lambda what: np.load(folder / f"{name}.{what}.npy")
        parents, values = read("parents"), read("values")
        pairs = read("pairs").reshape(-1, 2)

        def saver(peer):
            return lambda what, answer: np.save(
                folder / f"{name}.{peer}.{what}.npy", np.ascontiguousarray(answer).astype(np.float64)
            )

        result = {"higra": higra(parents, values, pairs, saver("higra"))}
        if parents.size <= 1_000_000:
            result["scipy"] = scipy_levels(parents, values, saver("scipy"))
        if parents.size <= 200_000:
            result["networkx"] = networkx(parents, values, pairs, saver("networkx"))
        if (folder / f"{name}.nwk").exists():
            leaf_pairs = read("leafpairs").reshape(-1, 2)
            result["SuchTree"] = such_tree(folder / f"{name}.nwk", leaf_pairs, saver("SuchTree"))
        results[name] = result
    print(json.dumps(results))


main()
