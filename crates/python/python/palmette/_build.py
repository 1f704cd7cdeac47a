"""Parents from graphs of other packages."""

from __future__ import annotations

from typing import Any

import numpy as np

from palmette._arrays import Integers, need


def of_networkx(
    graph: Any, root: Any, weight: str | None, forest: bool
) -> tuple[Integers, list[str], list[float] | None, list[float] | None]:
    """Parents, labels, lengths and support of a graph of networkx."""
    if not hasattr(graph, "nodes") or not hasattr(graph, "is_directed"):
        raise TypeError(f"expected a graph of networkx, found {type(graph).__name__}")
    nodes = list(graph.nodes)
    number = {node: v for v, node in enumerate(nodes)}
    edges = [(number[a], number[b], _length(data, weight)) for a, b, data in graph.edges(data=True)]
    if root is not None and root not in number:
        raise ValueError(f"root: expected a node of the graph, found {root!r}")
    n = len(nodes)
    if graph.is_directed():
        parents = np.full(n, -1, np.int64)
        lengths = [0.0] * n
        for a, b, length in edges:
            if parents[b] >= 0:
                raise ValueError(
                    f"expected at most one edge into each node, found two into {nodes[b]!r}"
                )
            parents[b] = a
            lengths[b] = length
        if root is not None and parents[number[root]] >= 0:
            raise ValueError(f"root: an edge goes into {root!r}")
    else:
        top = 0 if root is None else number[root]
        parents, lengths = _hang(n, edges, top, forest)
    known = [graph.nodes[node] for node in nodes]
    labels = [_text(data.get("label"), node) for node, data in zip(nodes, known)]
    support = None
    if any("support" in data for data in known):
        support = [_number(data.get("support", "nan")) for data in known]
    return parents, labels, lengths if weight is not None else None, support


def _text(label: Any, node: Any) -> str:
    return label if isinstance(label, str) else str(node)


def _number(given: Any) -> float:
    try:
        return float(given)
    except (TypeError, ValueError):
        expected = "support: expected a number for each node that has it"
        raise ValueError(f"{expected}, found {given!r}") from None


def _length(data: Any, weight: str | None) -> float:
    if weight is None:
        return 0.0
    try:
        return float(data[weight])
    except KeyError:
        raise ValueError(f"weight: an edge has no '{weight}'") from None


def _hang(
    n: int, edges: list[tuple[int, int, float]], root: int, forest: bool
) -> tuple[Integers, list[float]]:
    """Roots an undirected tree at its root, and other trees of a forest at their first vertex."""
    near: list[list[tuple[int, float]]] = [[] for _ in range(n)]
    for a, b, length in edges:
        near[a].append((b, length))
        near[b].append((a, length))
    parents = np.full(n, -1, np.int64)
    lengths = [0.0] * n
    seen = [False] * n
    trees = 0
    for top in [root, *range(n)] if n else []:
        if seen[top]:
            continue
        trees += 1
        seen[top] = True
        waiting = [top]
        while waiting:
            v = waiting.pop()
            for w, length in near[v]:
                if not seen[w]:
                    seen[w] = True
                    parents[w], lengths[w] = v, length
                    waiting.append(w)
    _check(n, len(edges), trees, forest)
    return parents, lengths


def _check(n: int, edges: int, trees: int, forest: bool) -> None:
    if edges != n - trees:
        raise ValueError(
            f"expected a tree, found a cycle: {n} vertices in {trees} component(s) have {edges} "
            f"edges instead of {n - trees}"
        )
    if trees > 1 and not forest:
        raise ValueError(
            f"expected one tree, found {trees} components (pass forest=True to allow several)"
        )


def of_scipy(
    matrix: Any, root: int, directed: bool, with_lengths: bool, forest: bool
) -> tuple[Integers, list[float] | None]:
    """Parents and lengths of a sparse matrix."""
    sparse = need("scipy.sparse", "Tree.from_scipy")
    if not sparse.issparse(matrix):
        raise TypeError(f"expected a sparse matrix of scipy, found {type(matrix).__name__}")
    if len(matrix.shape) != 2 or matrix.shape[0] != matrix.shape[1]:
        raise ValueError(f"expected a square matrix, found shape {matrix.shape}")
    entries = matrix.tocoo()
    n = int(matrix.shape[0])
    rows, columns = entries.row.astype(np.int64), entries.col.astype(np.int64)
    if entries.data.dtype.kind not in "biuf":
        raise TypeError(f"expected a matrix of real numbers, found {entries.data.dtype}")
    data = entries.data.astype(np.float64)
    if not directed:
        return _undirected(n, rows, columns, data, root, with_lengths, forest)
    parents = np.full(n, -1, np.int64)
    parents[columns] = rows
    twice = np.bincount(columns, minlength=n) > 1
    if twice.any():
        child = int(np.flatnonzero(twice)[0])
        raise ValueError(f"expected at most one entry per column, found several in column {child}")
    lengths = np.zeros(n)
    lengths[columns] = data
    return parents, lengths.tolist() if with_lengths else None


def _undirected(
    n: int,
    rows: Integers,
    columns: Integers,
    data: Any,
    root: int,
    with_lengths: bool,
    forest: bool,
) -> tuple[Integers, list[float] | None]:
    if n and not 0 <= root < n:
        raise IndexError(f"root: expected vertices from 0 to {n - 1}, found {root}")
    if (rows == columns).any():
        raise ValueError("expected a tree, found an entry on the diagonal")
    # Both triangles may state an edge.
    low, high = np.minimum(rows, columns), np.maximum(rows, columns)
    _, first = np.unique(low * n + high, return_index=True)
    edges = list(zip(low[first].tolist(), high[first].tolist(), data[first].tolist()))
    parents, lengths = _hang(n, edges, root, forest)
    return parents, lengths if with_lengths else None
