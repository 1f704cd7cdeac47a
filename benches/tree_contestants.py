"""Contestants of tree_calls.py: plain loops, higra's trees, inputs, and turns by the clock."""

import time

import numba
import numpy as np

import palmette

try:
    import higra
except ImportError:
    higra = None

SHAPES = ["random", "path", "star", "caterpillar", "perfect", "preferential", "phylogeny", "double-broom"]

CLOCKS = {"wall": time.perf_counter, "processor": time.process_time}


def best(works, seconds, clock=time.perf_counter, turns=3):
    """The best time of each work, in turns, for about so many seconds in all, and so many turns at least."""
    times = {name: [] for name in works}
    end = time.perf_counter() + seconds
    turn = 0
    while turn < turns or (time.perf_counter() < end and turn < 1000):
        for name, work in works.items():
            start = clock()
            work()
            times[name].append(clock() - start)
        turn += 1
    return {name: min(found) for name, found in times.items()}


@numba.njit
def loop_up(parents, values, out):
    out[:] = values
    for v in range(len(parents) - 1, -1, -1):
        p = parents[v]
        if p >= 0:
            out[p] += out[v]


@numba.njit
def loop_down(parents, values, out):
    for v in range(len(parents)):
        p = parents[v]
        out[v] = values[v] + (out[p] if p >= 0 else 0)


@numba.njit
def chain(values, out):
    total = values[0] - values[0]
    for v in range(len(values)):
        total += values[v]
        out[v] = total


@numba.njit
def order_up(order, parents, values, out):
    out[:] = values
    for i in range(len(order) - 1, -1, -1):
        v = order[i]
        p = parents[v]
        if p >= 0:
            out[p] += out[v]


@numba.njit
def order_down(order, parents, values, out):
    for v in order:
        p = parents[v]
        out[v] = values[v] + (out[p] if p >= 0 else 0)


def leaves_first(parents, order):
    """higra's tree and the number there of every vertex; `order` has parents first."""
    if higra is None:
        return None, np.arange(len(parents))
    n = len(parents)
    inner = np.zeros(n, bool)
    inner[parents[parents >= 0]] = True
    number = np.empty(n, np.int64)
    last_first = order[::-1]
    leaf = ~inner[last_first]
    leaves = np.count_nonzero(leaf)
    number[last_first[leaf]] = np.arange(leaves)
    number[last_first[~leaf]] = np.arange(leaves, n)
    theirs = np.empty(n, np.int64)
    below = parents >= 0
    theirs[number[below]] = number[parents[below]]
    theirs[number[~below]] = number[~below]
    return higra.Tree(theirs), number


def parents_of(shape, n, labels):
    """Parents of a shape with labels in preorder, with parents first, or shuffled."""
    tree = palmette.Tree.generate(f"{shape}:{n}", seed=1)
    parents, order = np.asarray(tree.parents), np.asarray(tree.preorder)
    n = len(parents)
    if labels == "shuffled":
        number = np.random.default_rng(3).permutation(n)
    elif labels == "preorder":
        number = np.empty(n, np.int64)
        number[order] = np.arange(n)
    else:
        depth = np.asarray(tree.depth())
        number = np.empty(n, np.int64)
        number[np.argsort(depth, kind="stable")] = np.arange(n)
    found = np.full(n, -1)
    below = parents >= 0
    found[number[below]] = number[parents[below]]
    return found


LABELS = ["preorder", "parents first", "shuffled"]
