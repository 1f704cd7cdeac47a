"""Ancestors, distances and paths."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, maybe_whole, threads_of, whole
from palmette._tree_facts import Facts
from palmette._treefix import column
from palmette.operators import COLUMNS


class Queries(Facts):
    """Ancestors, distances and paths."""

    def lca(self, *vertices: Any, threads: int | None = None) -> Any:
        """The lowest common ancestor of vertices, or of many pairs, triples and so on; -1 across
        trees.

        Each argument is a number or a label, or an array of them; arrays broadcast. One list or
        array alone is a set of vertices, as in :meth:`mrca`. The first query makes an index, which
        later ones use.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> tree.label(tree.lca("a", "b")), tree.lca(2, [3, 5])
        ('x', array([1, 0]))
        >>> tree.label(tree.lca("a", "b", "d")), tree.label(tree.lca(["a", "b"]))
        ('r', 'x')
        """
        if len(vertices) == 2 and threads is None:
            u, v = vertices
            if type(u) is int and type(v) is int and -1 < u < 1 << 32 and -1 < v < 1 << 32:
                one = self._core.lca_pair(u, v)
                if one is not None:
                    return one
        if not vertices:
            raise TypeError("there are no vertices")
        if len(vertices) == 1 and np.ndim(vertices[0]) > 0:
            return self.mrca(vertices[0])
        (first, *others), shape = self._together(*vertices)
        count = threads_of(threads)
        second, *others = others or [first]
        found = self._core.lca(first, second, count)
        for other in others:
            apart = found < 0
            above = self._core.lca(np.where(apart, other, found), other, count)
            found = np.where(apart, -1, above)
        return found.reshape(shape) if shape else int(found[0])

    def mrca(self, vertices: Any) -> int:
        """The lowest common ancestor of a set of vertices, of any size; -1 across trees.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> tree.label(tree.mrca(["a", "b"]))
        'x'
        """
        members = self._vertices(list(vertices), "vertices").reshape(-1)
        if not members.size:
            raise ValueError("there are no vertices")
        places = np.empty(len(self), dtype=np.int64)
        places[self.preorder] = np.arange(len(self))
        order = places[members]
        return int(self.lca(members[order.argmin()], members[order.argmax()]))

    def distance(
        self, u: Any, v: Any, *, lengths: bool | ArrayLike | None = None, threads: int | None = None
    ) -> Any:
        """The distance between two vertices, or between many pairs.

        Where the tree has branch lengths it is their sum, and NaN across trees; elsewhere it is
        the number of edges, and -1 across trees. ``lengths=True`` and ``lengths=False`` ask for
        the one or the other; an array has one length per vertex, for the edge to its parent.

        >>> import numpy as np
        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.distance("a", "c"), tree.distance("a", "c", lengths=False)
        (8.0, 3)
        >>> tree.distance(["a", "b"], "c", lengths=np.ones(5))
        array([3., 3.])
        """
        (first, second), shape = self._together(u, v)
        if lengths is None:
            lengths = self._core.has_lengths
        if isinstance(lengths, (bool, np.bool_)) and not lengths:
            found = self._core.edge_distance(first, second, threads_of(threads))
            return found.reshape(shape) if shape else int(found[0])
        given = self._lengths(lengths)
        sums = self._core.length_distance(first, second, given, threads_of(threads))
        return sums.reshape(shape) if shape else float(sums[0])

    def distance_matrix(
        self, tips: Any = None, *, lengths: bool | None = None, threads: int | None = None
    ) -> Floats:
        """Distances of vertices to each other, of all tips in preorder by default: by branch lengths where the tree has
        them, else in edges.

        >>> palmette.Tree.from_newick("((a:1,b:2):3,c:4);").distance_matrix(["a", "c"])
        array([[0., 8.],
               [8., 0.]])
        """
        chosen = None if tips is None else self._vertices(list(tips), "tips").reshape(-1)
        by_lengths = self._core.has_lengths if lengths is None else lengths
        found = self._core.distance_rows(chosen, by_lengths, threads_of(threads))
        n = round(found.size**0.5)
        return found.reshape(n, n)

    def path(
        self,
        u: Any,
        v: Any,
        values: ArrayLike | None = None,
        op: str = "sum",
        *,
        on_edges: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> Any:
        """The aggregate of the values along the path from ``u`` to ``v``.

        ``on_edges`` says that a vertex's value belongs to the edge above it. Pairs in different
        trees of a forest are an error here. ``argmin`` and ``argmax`` return values and
        vertices.

        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 1])
        >>> tree.path(3, 2, [1, 10, 100, 1000])
        1111
        """
        if op not in COLUMNS:
            raise ValueError(f"unknown operator '{op}'; expected one of {', '.join(COLUMNS)}")
        if COLUMNS[op] > 1:
            raise ValueError(f"op: expected an operator on single numbers, found {op}")
        given = [] if COLUMNS[op] == 0 else [column(values, len(self))]
        (first, second), shape = self._together(u, v)
        options = (maybe_whole(modulus, "modulus"), whole(seed, "seed"), threads_of(threads))
        found, present = self._core.path(first, second, op, given, on_edges, wrapping, *options)
        if present is not None and not all(present):
            at = present.index(False)
            raise ValueError(
                f"no path between ({first[at]}, {second[at]}): they are in different trees"
            )
        shaped = [x.reshape(shape) if shape else x[0].item() for x in found]
        return shaped[0] if len(shaped) == 1 else tuple(shaped)
