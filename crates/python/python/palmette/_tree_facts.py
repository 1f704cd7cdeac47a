"""What a tree has: parents, names, lengths, counts."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette._arrays import AnyArray, Floats, Integers, indices
from palmette._tree_base import TreeBase


class Facts(TreeBase):
    """What a tree has: parents, names, lengths, counts."""

    @property
    def parents(self) -> Integers:
        """By vertex, its parent; -1 for a root."""
        return self._core.parents()

    @property
    def roots(self) -> Integers:
        """The roots."""
        return self._core.roots()

    @property
    def preorder(self) -> Integers:
        """The vertices in preorder: parents before children, subtrees in one piece."""
        return self._core.preorder()

    @property
    def labels(self) -> list[str]:
        """By vertex, its label; ``#`` and its number where the file has none.

        Several vertices may share a label. Queries then need ``#`` and the vertex's number.
        """
        return self._core.labels()

    @property
    def lengths(self) -> Floats | None:
        """By vertex, the length of the edge to its parent, if the file has lengths."""
        return self._core.lengths()

    @property
    def support(self) -> Floats | None:
        """By vertex, the support of the edge to its parent, NaN where there is none; None if no
        vertex has any.

        >>> palmette.Tree.from_newick("((a,b)95,c);").support
        array([nan, 95., nan, nan, nan])
        """
        return self._core.support()

    @property
    def annotations(self) -> dict[str, list[str]]:
        """By key, a text for every vertex, empty where it has none: what comments of Newick and NEXUS
        say (NHX, BEAST), elements of PhyloXML, or columns ``&key`` of a table."""
        return self._core.annotations()

    @property
    def tips(self) -> Integers:
        """The vertices without children, in ascending order.

        >>> palmette.Tree.from_newick("((a,b)x,c)r;").tips
        array([2, 3, 4])
        """
        return self._core.tips()

    def children(self, vertex: Any) -> Integers:
        """The children of a vertex, by number or label, in their order.

        >>> palmette.Tree.from_newick("((a,b)x,c)r;").children("r")
        array([1, 4])
        """
        return self._core.children(int(self._vertices(vertex, "vertex")))

    @property
    def origin(self) -> Integers | None:
        """By vertex, which vertex of the edited tree it was, -1 for a new one; None for a tree that
        no edit made. After :meth:`graft` vertices of the grafted tree follow those of the other.
        """
        return self._core.origin()

    def label(self, vertex: int) -> str:
        """The label of a vertex."""
        return self._core.label(int(indices(vertex, "vertex")))

    def vertex(self, label: str) -> int:
        """The vertex with a label."""
        return int(self._core.find([label])[0])

    def split(self, values: ArrayLike) -> list[AnyArray]:
        """Values by vertex, taken apart: an array for each tree of a forest, in the order of
        :attr:`roots`, with the tree's vertices in ascending order.
        """
        array = np.asarray(values)
        if array.ndim == 0 or array.shape[0] != len(self):
            raise ValueError(f"values: shape {array.shape} for {len(self)} vertices")
        ends = np.cumsum(self.sizes()[self.roots])
        return [array[np.sort(part)] for part in np.split(self.preorder, ends)[:-1]]

    def depth(self, *, lengths: bool | ArrayLike = False) -> AnyArray:
        """By vertex, the number of edges to its root, or with ``lengths`` their sum of lengths.

        ``lengths=True`` takes the tree's own; an array has one per vertex, for the edge to its
        parent.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.depth(), tree.depth(lengths=True)
        (array([0, 1, 2, 2, 1]), array([0., 3., 4., 5., 4.]))
        """
        if isinstance(lengths, (bool, np.bool_)) and not lengths:
            return self._core.measure("depth", None, None)
        return self._core.measure("weighted-depth", self._lengths(lengths), None)

    def height(self) -> Integers:
        """By vertex, the number of edges to the deepest vertex below."""
        return self._core.measure("height", None, None)

    def sizes(self) -> Integers:
        """By vertex, the number of vertices in its subtree."""
        return self._core.measure("size", None, None)

    def leaves(self) -> Integers:
        """By vertex, the number of leaves in its subtree; 1 for a leaf."""
        return self._core.measure("leaves", None, None)
