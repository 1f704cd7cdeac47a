"""Trees from trees."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeVar

import numpy as np

from palmette import _palmette
from palmette._arrays import whole
from palmette._tree_base import TreeBase

T = TypeVar("T", bound="Edits")


class Edits(TreeBase):
    """Trees from trees."""

    def subtree(self: T, *vertices: Any) -> T:
        """The tree below a vertex, or below the lowest common ancestor of several.

        This and all other edits return a new tree, numbered in preorder, with the labels, lengths
        and supports of the old one; its :attr:`origin` says which vertex each one was. Vertices are
        numbers or labels, or arrays of them.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2)x:3,(c:4,d:5)y:6)r;")
        >>> tree.subtree("a", "b").labels
        ['x', 'a', 'b']
        """
        return type(self)(self._core.subtree(self._set(vertices)))

    def prune(self: T, keep: Any = None, drop: Any = None, *, suppress: bool = True) -> T:
        """The tree of the tips to keep, or of all but those to drop.

        An inner vertex stands for all tips below it. ``suppress`` removes vertices that have one
        child and adds lengths, which makes the lowest common ancestor of the tips the root.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2)x:3,(c:4,d:5)y:6)r;")
        >>> pruned = tree.prune(drop=["b"])
        >>> pruned.labels, pruned.lengths, pruned.origin
        (['r', 'a', 'y', 'c', 'd'], array([0., 4., 6., 4., 5.]), array([0, 2, 4, 5, 6]))
        """
        if (keep is None) == (drop is None):
            raise TypeError("pass keep or drop")
        chosen = self._set((drop if keep is None else keep,))
        way = "suppress" if suppress else "keep"
        return type(self)(self._core.prune(chosen, keep is not None, way))

    def reroot(
        self: T,
        *,
        midpoint: bool = False,
        outgroup: Any = None,
        min_variance: bool = False,
        at: Any = None,
        fraction: float = 0.5,
    ) -> T:
        """The tree with its root elsewhere: in the middle of the longest path between tips, between
        an ``outgroup`` and all other tips, where the variance of the distances to the tips is
        least, or on the branch ``at`` a vertex.

        ``fraction`` is the share of the branch on the side of the outgroup or vertex. An old root
        with two children goes, and its two branches become one. Supports stay with their branches.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> rooted = tree.reroot(outgroup="b")
        >>> rooted.labels, rooted.lengths
        (['#0', 'b', '#2', 'a', 'c'], array([0., 1., 1., 1., 7.]))
        """
        ways = [("midpoint", midpoint), ("min-variance", min_variance)]
        chosen: list[tuple[str, tuple[Any, ...]]] = [(name, ()) for name, wanted in ways if wanted]
        chosen += [(n, (x,)) for n, x in (("outgroup", outgroup), ("at", at)) if x is not None]
        if len(chosen) != 1:
            raise TypeError("pass one of midpoint, outgroup, min_variance and at")
        (way, vertices), = chosen
        return type(self)(self._core.reroot(way, self._set(vertices), float(fraction)))

    def unroot(self: T) -> T:
        """The tree with at least three branches at the top: one child of a root with two goes."""
        return type(self)(self._core.reroot("unroot", self._set(()), 0.5))

    def ladderize(self: T, order: str = "ascending") -> T:
        """The tree with children by their number of tips, ``ascending`` or ``descending``; ties stay
        in their order.

        >>> palmette.Tree.from_newick("((a,b),c);").ladderize().labels
        ['#0', 'c', '#2', 'a', 'b']
        """
        if order not in ("ascending", "descending"):
            raise ValueError(f"order: expected ascending or descending, found {order!r}")
        return type(self)(self._core.reordered(order))

    def sort(self: T) -> T:
        """The tree with children by the smallest label of a tip below, in the order of bytes.

        >>> palmette.Tree.from_newick("((c,b),a);").sort().labels
        ['#0', 'a', '#2', 'b', 'c']
        """
        return type(self)(self._core.reordered("sort"))

    def collapse(
        self: T,
        *,
        shorter_than: float | None = None,
        support_below: float | None = None,
        lengths: str = "add",
    ) -> T:
        """The tree without inner branches that are short or have little support, whose lower ends
        become one with their parents.

        ``lengths="add"`` adds their lengths to the branches below, which keeps distances to the root;
        ``"drop"`` drops them. Both limits are strict; branches without support stay.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):0.5,c:4);")
        >>> tree.collapse(shorter_than=0.75).lengths
        array([0. , 1.5, 2.5, 4. ])
        """
        if shorter_than is None and support_below is None:
            raise TypeError("pass shorter_than or support_below")
        return type(self)(self._core.collapse(shorter_than, support_below, lengths))

    def resolve(self: T, method: str = "comb", *, seed: int = _palmette.DEFAULT_SEED) -> T:
        """The tree with at most two children everywhere: new branches have length 0.

        ``method`` is ``comb``, ``balanced``, or ``random`` with a ``seed``.

        >>> palmette.Tree.from_newick("(a,b,c);").resolve().parents
        array([-1,  0,  1,  1,  0])
        """
        return type(self)(self._core.resolve(method, whole(seed, "seed")))

    def rename(self: T, names: Mapping[Any, str]) -> T:
        """The tree with other labels for some vertices, from a dictionary of old and new ones.

        >>> palmette.Tree.from_newick("(a,b);").rename({"a": "b", "b": "a"}).labels
        ['#0', 'b', 'a']
        """
        keys = list(names)
        vertices = [int(self._vertices(key, "names").reshape(-1)[0]) for key in keys]
        if len(set(vertices)) < len(vertices):
            raise ValueError("names: a vertex is renamed twice")
        array = np.array(vertices, np.int64)
        return type(self)(self._core.renamed(array, [str(names[key]) for key in keys]))

    def graft(
        self: T,
        other: TreeBase,
        *,
        below: Any = None,
        above: Any = None,
        fraction: float = 0.5,
    ) -> T:
        """The tree with another one hung into it: ``below`` a vertex, as its last child, or on the
        branch ``above`` one, with this fraction of it below the new vertex.

        >>> cherry = palmette.Tree.from_newick("(c,d)y;")
        >>> palmette.Tree.from_newick("(a,b)x;").graft(cherry, above="b").labels
        ['x', 'a', '#2', 'b', 'y', 'c', 'd']
        """
        if (below is None) == (above is None):
            raise TypeError("pass below or above")
        place = self._set((above if below is None else below,))
        if place.size != 1:
            raise ValueError("pass one vertex")
        where = (int(place[0]), below is None, float(fraction))
        return type(self)(self._core.graft(other._core, *where))
