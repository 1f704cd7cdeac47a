"""Values along the tree."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from palmette import _palmette
from palmette._arrays import AnyArray, floats, plain, threads_of
from palmette._tree_base import TreeBase
from palmette._treefix import column, treefix


class Aggregates(TreeBase):
    """Values along the tree."""

    def leaffix(
        self,
        values: ArrayLike | tuple[ArrayLike, ...] | None = None,
        op: Any = "sum",
        *,
        identity: float | None = None,
        engine: str = "auto",
        scope: str = "inclusive",
        sum: str = "plain",
        error_bound: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        dtype: DTypeLike | None = None,
        order: str = "vertex",
        out: AnyArray | None = None,
        threads: int | None = None,
    ) -> Any:
        """By vertex, the aggregate of the values in its subtree, in preorder.

        ``op`` is a name (:func:`palmette.operators` lists them), an :class:`Operator`, or a
        function with its ``identity``. Values are an array with one entry per vertex; further
        dimensions are columns, aggregated separately: sums of all columns take one pass. They are
        read in place if they are contiguous and float64, float32, int64 or uint64, and, for sums of
        one column where vertices are in preorder or parents come first, int32; smaller integers
        become int64.

        Answers are a new array, or go into ``out``, which has the answers' type and shape and
        shares no memory with the values. With ``order="preorder"`` values and answers are in the
        tree's preorder (:meth:`in_preorder`, :meth:`by_vertex`): the pass then reads and writes
        memory in order. On a tree whose vertices are numbered in preorder, or with parents before
        children, it makes little difference.

        ``affine`` takes pairs, an array of shape (n, 2); ``matrix`` takes shape (n, 2, 2);
        ``argmin`` and ``argmax`` return values and vertices; ``count`` takes no values.

        The engines ``gpu``, ``gpu-euler``, ``gpu-levels``, ``gpu-contract`` and ``gpu-trees`` run on a
        graphics processor, in builds that support one; columns of values share passes there.

        ``scope="exclusive"`` leaves out a vertex's own value. ``sum`` is how floats are added:
        ``plain``, ``compensated`` or ``exact``; ``error_bound`` adds a second array with upper
        bounds on the errors. An integer sum that overflows is an error unless ``wrapping``.

        >>> import numpy as np
        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 2])
        >>> tree.leaffix(np.array([1.0, 2.0, 3.0, 4.0]))
        array([10.,  2.,  7.,  4.])
        >>> tree.leaffix([5, 3, 8, 1], op="argmin")
        (array([1, 3, 1, 1]), array([3, 1, 3, 3]))
        >>> tree.leaffix(op="count")
        array([4, 1, 2, 1], dtype=uint64)
        """
        options = (engine, scope, sum, error_bound, modulus, wrapping, seed, threads)
        return treefix(self._core, "leaffix", values, op, identity, dtype, order, out, options)

    def rootfix(
        self,
        values: ArrayLike | tuple[ArrayLike, ...] | None = None,
        op: Any = "sum",
        *,
        identity: float | None = None,
        engine: str = "auto",
        scope: str = "inclusive",
        sum: str = "plain",
        error_bound: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        dtype: DTypeLike | None = None,
        order: str = "vertex",
        out: AnyArray | None = None,
        threads: int | None = None,
    ) -> Any:
        """By vertex, the aggregate of the values from its root down to it; else as
        :meth:`leaffix`.

        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 2])
        >>> tree.rootfix([1, 10, 100, 1000])
        array([   1,   11,  101, 1101])
        """
        options = (engine, scope, sum, error_bound, modulus, wrapping, seed, threads)
        return treefix(self._core, "rootfix", values, op, identity, dtype, order, out, options)

    def in_preorder(self, values: ArrayLike, *, threads: int | None = None) -> AnyArray:
        """Values by vertex, moved to the tree's preorder: what ``order="preorder"`` takes.

        >>> tree = palmette.Tree.from_parents([2, 0, -1, 2])
        >>> values = tree.in_preorder([1, 10, 100, 1000])
        >>> values
        array([ 100,    1,   10, 1000])
        >>> tree.by_vertex(tree.leaffix(values, order="preorder"))
        array([  11,   10, 1111, 1000])
        """
        return self._core.permuted(column(values, len(self)), False, threads_of(threads))

    def by_vertex(self, values: ArrayLike, *, threads: int | None = None) -> AnyArray:
        """Values in preorder, moved to their vertices: the inverse of :meth:`in_preorder`."""
        return self._core.permuted(column(values, len(self)), True, threads_of(threads))
