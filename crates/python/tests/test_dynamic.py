"""Skeletons that follow a graph."""

import numpy as np
import pytest

from palmette import DynamicSparsifier, Graph


def made(**options):
    return DynamicSparsifier(Graph.generate("grid:12x12"), **options)


def test_updates():
    one = made()
    assert (len(one), one.edge_count, len(one.tree_edges), one.updates) == (144, 264, 143, 0)
    u, v = one.tree_edges[0]
    one.delete([[v, u]])
    assert (one.edge_count, len(one.tree_edges)) == (263, 143)
    assert [u, v] not in one.tree_edges.tolist()
    one.insert([[u, v]])
    one.set_weights([[u, v]], [4.0])
    assert one.graph().adjacency()[u, v] == 4.0
    one.insert([])
    assert one.updates == 3
    assert one.condition() >= 1.0
    kept = one.skeleton()
    assert kept.edge_count == len(one.tree_edges) + len(one.recovered_edges)


def test_what_is_no_update():
    one = made()
    with pytest.raises(ValueError, match=r"edges\[1\]: the edge between 0 and 1 exists already"):
        one.insert([[0, 143], [0, 1], [0, 142]])
    # What came before it is done.
    assert (one.updates, one.edge_count) == (1, 265)
    for call, error, match in [
        (lambda: one.delete([[0, 2]]), ValueError, "there is no edge between 0 and 2"),
        (lambda: one.insert([[5, 5]]), ValueError, "itself"),
        (lambda: one.insert([[0, 50]], -1.0), ValueError, "must be positive"),
        (lambda: one.insert([[0, 50]], np.nan), ValueError, "must be positive"),
        (lambda: one.insert([[0, 144]]), IndexError, "expected vertices from 0 to 143"),
        (lambda: one.insert([[0, 50]], [1, 2]), ValueError, "weights: expected shape"),
        (lambda: one.insert([0, 50]), ValueError, "edges: expected shape"),
        (lambda: one.solve(np.ones(3)), ValueError, "3"),
        (lambda: made(share=2), ValueError, "share"),
        (lambda: made(budget="many"), ValueError, "many"),
        (lambda: DynamicSparsifier(np.eye(3)), TypeError, "expected a palmette.Graph"),
    ]:
        with pytest.raises(error, match=match):
            call()
    assert one.updates == 1
    lenient = made(upsert=True)
    lenient.delete([[0, 2]])
    lenient.insert([[0, 1]], 2.0)
    assert lenient.graph().adjacency()[0, 1] == 2.0
