"""One aggregate from an array of parents: no tree is made where none is needed."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import AnyArray, as_contiguous, columns, numbers, plain, threads_of
from palmette.operators import COLUMNS
from palmette.tree import Tree


def leaffix(
    parents: ArrayLike,
    values: ArrayLike | tuple[ArrayLike, ...] | None = None,
    op: Any = "sum",
    *,
    forest: bool = False,
    threads: int | None = None,
    **options: Any,
) -> Any:
    """By vertex, the aggregate of the values in its subtree, for trees with one question.

    As ``Tree.from_parents(parents).leaffix(values, op)``, without the tree for sums, counts,
    extremes and bits: a third of the time and of the memory. Whatever needs a tree gets one: other
    operators, and the further keywords of :meth:`Tree.leaffix`. Ask a :class:`Tree` where there is
    a second question.

    >>> import numpy as np
    >>> palmette.leaffix([2, 0, -1, 2], np.array([1, 10, 100, 1000]))
    array([  11,   10, 1111, 1000])
    """
    return _once("leaffix", parents, values, op, forest, threads, options)


def rootfix(
    parents: ArrayLike,
    values: ArrayLike | tuple[ArrayLike, ...] | None = None,
    op: Any = "sum",
    *,
    forest: bool = False,
    threads: int | None = None,
    **options: Any,
) -> Any:
    """By vertex, the aggregate of the values on the way from the root, for trees with one question.

    As ``Tree.from_parents(parents).rootfix(values, op)``; see :func:`leaffix`.

    >>> import numpy as np
    >>> palmette.rootfix([2, 0, -1, 2], np.array([1, 10, 100, 1000]))
    array([ 101,  111,  100, 1100])
    """
    return _once("rootfix", parents, values, op, forest, threads, options)


def _once(
    way: str,
    parents: Any,
    values: Any,
    op: Any,
    forest: bool,
    threads: int | None,
    options: dict[str, Any],
) -> Any:
    given = None if options or not isinstance(op, str) else _columns(op, values)
    bare = None if given is None else _narrow(plain(parents, "parents"))
    if given is not None and bare is not None:
        (lent, signed), (asked, shape) = bare, given
        found = _palmette.treefix_once(
            way, op, lent, signed, asked, bool(forest), threads_of(threads)
        )
        if found is not None:
            answers, _ = found
            return answers[0] if len(shape) < 2 else np.stack(answers, axis=1).reshape(shape)
    tree = Tree.from_parents(parents, forest=forest, threads=threads)
    return getattr(tree, way)(values, op, threads=threads, **options)


def _columns(op: str, values: Any) -> tuple[list[AnyArray], tuple[int, ...]] | None:
    """The columns that an operator is asked about, and the shape of their array; None where a tree
    knows better."""
    count = COLUMNS.get(op)
    if count == 0 and values is None:
        return [], ()
    if count != 1 or values is None:
        return None
    array = numbers(values, "values")
    if array.ndim == 1:
        return [array], array.shape
    return (columns(array), array.shape) if array.ndim > 1 and array.size else None


def _narrow(array: AnyArray) -> tuple[AnyArray, bool] | None:
    """Parents as 32 bits, and whether they have a sign; None where a tree says what is wrong."""
    kind, size = array.dtype.kind, array.dtype.itemsize
    if array.ndim != 1 or kind not in "iu" or not array.size:
        return None
    if kind == "u" and size == 4:
        return as_contiguous(array, np.uint32), False
    if size <= 4:
        return as_contiguous(array, np.int32).view(np.uint32), True
    if kind == "u" or array.min() < -1 or array.max() >= len(array):
        return None
    return array.astype(np.int32).view(np.uint32), True
