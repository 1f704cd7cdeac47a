"""palmette for Python beside other packages: times and ratios of one run.

    .venv-test/bin/python benches/python_peers.py [--vertices N] [--turns K]

Contestants take turns on the same input, the best turn counts, and all answers are compared.
Packages that are not installed are left out.
"""

import argparse
import importlib
import os
import time

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")

import numpy as np

import palmette


def optional(name):
    try:
        return importlib.import_module(name)
    except ImportError:
        print(f"{name} is not installed")
        return None


def race(title, contestants, turns, check):
    """Runs contestants in turns; prints their best times and how they compare with the first."""
    best = {}
    answers = {}
    for turn in range(turns):
        for name, (work, most) in contestants.items():
            if turn >= most:
                continue
            start = time.perf_counter()
            answers[name] = work()
            seconds = time.perf_counter() - start
            best[name] = min(seconds, best.get(name, seconds))
    first = next(iter(contestants))
    for name, answer in answers.items():
        check(answers[first], answer, name)
    print(f"\n{title}\n")
    print("| who | ms | ratio |\n|---|---:|---:|")
    for name, seconds in best.items():
        print(f"| {name} | {seconds * 1e3:,.2f} | {seconds / best[first]:,.1f} |")


def same(expected, found, name):
    np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9, err_msg=name)


def random_parents(n, seed):
    """Every vertex hangs from an earlier one, chosen at random; numbers are not shuffled."""
    random = np.random.default_rng(seed)
    parents = (random.random(n) * np.arange(n)).astype(np.int64)
    parents[0] = -1
    return parents


def leaves_first(higra, parents):
    """higra's tree, whose leaves come first and children before parents; and numbers there."""
    n = len(parents)
    inner = np.zeros(n, bool)
    inner[parents[1:]] = True
    number = np.empty(n, np.int64)
    number[np.lexsort((-np.arange(n), inner))] = np.arange(n)
    theirs = np.empty(n, np.int64)
    theirs[number[1:]] = number[parents[1:]]
    theirs[number[0]] = number[0]
    return higra.Tree(theirs), number


def operators(n, turns):
    """The same sum by name, by pointer, by callable, and by loops."""
    parents = random_parents(n, 1)
    values = np.random.default_rng(2).random(n)
    tree = palmette.Tree.from_parents(parents)
    contestants = {
        "palmette, op=\"sum\"": (lambda: tree.leaffix(values), turns),
    }
    numba = optional("numba")
    if numba:
        add = numba.cfunc("float64(float64, float64)")(lambda a, b: a + b)
        contestants["palmette, cfunc of numba"] = (
            lambda: tree.leaffix(values, op=add, identity=0.0), turns)

        @numba.njit
        def loop(parents, values):
            sums = values.copy()
            for v in range(len(parents) - 1, 0, -1):
                sums[parents[v]] += sums[v]
            return sums

        loop(parents[:2], values[:2])
        contestants["loop in numba (parents come first)"] = (
            lambda: loop(parents, values), turns)
    contestants["palmette, lambda in Python"] = (
        lambda: tree.leaffix(values, op=lambda a, b: a + b, identity=0.0), 1)

    def by_levels():
        """One np.add.at per level, the usual way in numpy."""
        depth = np.zeros(n, np.int64)
        for v in range(1, n):
            depth[v] = depth[parents[v]] + 1
        order = np.argsort(-depth, kind="stable")
        cuts = np.flatnonzero(np.diff(depth[order])) + 1
        sums = values.copy()
        for level in np.split(order, cuts)[:-1]:
            np.add.at(sums, parents[level], sums[level])
        return sums

    contestants["np.add.at by levels"] = (by_levels, 1)

    def python_loop():
        sums = values.tolist()
        above = parents.tolist()
        for v in range(n - 1, 0, -1):
            sums[above[v]] += sums[v]
        return np.array(sums)

    contestants["loop in Python (parents come first)"] = (python_loop, 1)
    higra = optional("higra")
    if higra:
        theirs, number = leaves_first(higra, parents)
        own = np.empty(n)
        own[number] = values
        leaves = own[: theirs.num_leaves()].copy()
        adds = higra.Accumulators.sum
        contestants["higra, accumulate"] = (
            lambda: higra.accumulate_and_add_sequential(theirs, own, leaves, adds)[number], turns)
    networkx = optional("networkx")
    if networkx:
        graph = networkx.DiGraph(zip(parents[1:].tolist(), range(1, n)))

        def postorder():
            sums = values.tolist()
            for v in networkx.dfs_postorder_nodes(graph, 0):
                for child in graph.successors(v):
                    sums[v] += sums[child]
            return np.array(sums)

        contestants["networkx, postorder"] = (postorder, 1)
    race(f"Sums over subtrees, {n:,} vertices", contestants, turns, same)


def ancestors(n, turns):
    """Lowest common ancestors and distances of pairs."""
    parents = random_parents(n, 3)
    pairs = np.random.default_rng(4).integers(0, n, (2000, 2))
    u, v = pairs.T.copy()
    lengths = np.random.default_rng(5).random(n)

    def ours():
        return palmette.Tree.from_parents(parents).lca(u, v)

    contestants = {"palmette, index included": (ours, turns)}
    higra = optional("higra")
    networkx = optional("networkx")
    if higra:
        theirs, number = leaves_first(higra, parents)
        vertex = np.argsort(number)
        contestants["higra, index included"] = (
            lambda: vertex[higra.LCAFast(theirs).lca(number[u], number[v])], turns)
    if networkx:
        graph = networkx.DiGraph(zip(parents[1:].tolist(), range(1, n)))
        asked = list(map(tuple, pairs.tolist()))

        def tarjan():
            found = dict(networkx.tree_all_pairs_lowest_common_ancestor(graph, 0, asked))
            both = [found.get(pair, found.get(pair[::-1])) for pair in asked]
            return np.array(both)

        contestants["networkx, Tarjan"] = (tarjan, 1)
    race(f"Lowest common ancestors of 2,000 pairs, {n:,} vertices", contestants, turns, same)

    tree = palmette.Tree.from_parents(parents)
    text = newick(parents, lengths)
    contestants = {"palmette": (lambda: tree.distance(u, v, lengths=lengths), turns)}
    treeswift = optional("treeswift")
    if treeswift:
        theirs = treeswift.read_tree_newick(text)
        nodes = theirs.label_to_node(selection="all")
        contestants["TreeSwift"] = (
            lambda: np.array([theirs.distance_between(nodes[f"n{a}"], nodes[f"n{b}"])
                              for a, b in pairs.tolist()]), 1)
    skbio = optional("skbio")
    if skbio:
        import io

        tree_node = skbio.TreeNode.read(io.StringIO(text))
        named = {node.name: node for node in tree_node.traverse()}
        contestants["scikit-bio"] = (
            lambda: np.array([named[f"n{a}"].distance(named[f"n{b}"]) if a != b else 0.0
                              for a, b in pairs.tolist()]), 1)
    race(f"Distances by length of 2,000 pairs, {n:,} vertices", contestants, turns, same)


def newick(parents, lengths):
    """A tree as text; children come after parents."""
    texts = [[] for _ in parents]
    for v in range(len(parents) - 1, -1, -1):
        inside = f"({','.join(texts[v])})" if texts[v] else ""
        text = f"{inside}n{v}:{float(lengths[v])!r}"
        texts[v] = []
        if v:
            texts[parents[v]].append(text)
    return text + ";"


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--vertices", type=int, default=1_000_000)
    parser.add_argument("--turns", type=int, default=5)
    arguments = parser.parse_args()
    print(f"palmette {palmette.__version__}, {palmette.get_threads()} threads")
    operators(arguments.vertices, arguments.turns)
    ancestors(arguments.vertices // 10, arguments.turns)


if __name__ == "__main__":
    main()
