"""Samples of tips: from what users have to sparse counts, and answers with names."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import AnyArray, Floats, Integers, floats, indices, need, threads_of, whole
from palmette.picture import Picture

#: Names that a message has.
_NAMED = 5


class Pcoa(NamedTuple):
    """Principal coordinates of samples."""

    #: A row per sample, a column per axis; of pandas where the distances are.
    coordinates: Any
    #: By axis, the sum of the squares of its coordinates.
    eigenvalues: Floats
    #: By axis, its share of the sum of the positive eigenvalues (above 1000 samples, of all).
    proportions: Floats
    #: How many eigenvalues are negative, and their sum; None above 1000 samples.
    negative: tuple[int, float] | None


class Counts:
    """Counts by sample, with what rows are called."""

    def __init__(
        self,
        tree: _palmette.Tree,
        counts: Any,
        samples: Sequence[Any] | None,
        tips: Any,
        ignore_missing: bool,
    ) -> None:
        self.names: Any = samples
        if _is_frame(counts):
            self.names = counts.index if samples is None else samples
            tips = list(counts.columns) if tips is None else tips
            sparse = getattr(counts, "sparse", None) if _all_sparse(counts) else None
            counts = counts.to_numpy() if sparse is None else sparse.to_coo()
        starts, columns, values, width = _rows(counts)
        if self.names is not None and len(self.names) != len(starts) - 1:
            raise ValueError(f"samples: {len(self.names)} names for {len(starts) - 1} rows")
        vertices = _tips(tree, tips, width, ignore_missing)
        found = vertices[columns]
        present = found >= 0
        if not present.all():
            kept = np.concatenate([[0], np.cumsum(present)])
            starts, found, values = kept[starts], found[present], values[present]
        self.rows = (
            np.ascontiguousarray(starts, np.int64),
            np.ascontiguousarray(found, np.int64),
            np.ascontiguousarray(values, np.float64),
        )


def _is_frame(x: Any) -> bool:
    return all(hasattr(x, name) for name in ("columns", "index", "to_numpy"))


def _all_sparse(frame: Any) -> bool:
    return all(hasattr(kind, "fill_value") and kind.fill_value == 0 for kind in frame.dtypes)


def _rows(counts: Any) -> tuple[AnyArray, AnyArray, AnyArray, int]:
    """Starts, columns and values by row, and the number of columns."""
    if hasattr(counts, "tocsr"):
        matrix = counts.tocsr()
        values = floats(matrix.data, "counts")
        return matrix.indptr, matrix.indices, values, matrix.shape[1]
    dense = floats(counts, "counts")
    if dense.ndim != 2:
        shape = dense.shape
        raise ValueError(f"counts: expected a row per sample and a column per tip, found shape {shape}")
    rows, columns = np.nonzero(dense)
    starts = np.concatenate([[0], np.cumsum(np.bincount(rows, minlength=dense.shape[0]))])
    return starts, columns, dense[rows, columns], dense.shape[1]


def _tips(tree: _palmette.Tree, tips: Any, width: int, ignore_missing: bool) -> Integers:
    """By column, its tip; -1 where the tree lacks it."""
    if tips is None:
        all_tips = tree.tip_vertices()
        if len(all_tips) != width:
            text = f"expected {len(all_tips)} columns, the tips in preorder, found {width}"
            raise ValueError(f"counts: {text}; pass tips to name them")
        return all_tips
    tips = list(tips)
    if len(tips) != width:
        raise ValueError(f"tips: {len(tips)} names for {width} columns")
    if not all(isinstance(tip, str) for tip in tips):
        vertices = indices(tips, "tips")
    else:
        vertices = tree.find_tips(tips)
        missing = [tip for tip, vertex in zip(tips, vertices) if vertex < 0]
        if missing and not ignore_missing:
            names = ", ".join(f"`{tip}`" for tip in missing[:_NAMED])
            more = ", …" if len(missing) > _NAMED else ""
            raise ValueError(
                f"tips: {len(missing)} of {len(tips)} are not in {tree.name}: {names}{more}; "
                "pass ignore_missing=True to leave them out"
            )
    known = vertices[vertices >= 0]
    if len(np.unique(known)) < len(known):
        at = next(i for i, tip in enumerate(tips) if tips.index(tip) < i)
        raise ValueError(f"tips: expected each tip once, found {tips[at]!r} twice")
    return vertices


def faith_pd(
    tree: _palmette.Tree,
    counts: Counts,
    lengths: Floats | None,
    root_length: bool,
    threads: int | None,
) -> Any:
    """Faith PD by sample."""
    starts, tips, numbers = counts.rows
    options = (lengths, 0.0, 1.0, bool(root_length), threads_of(threads))
    found = tree.diversity("faith", starts, tips, numbers, *options)
    if counts.names is None:
        return found
    pandas = need("pandas", "an answer with names of samples")
    return pandas.Series(found, index=counts.names, name="faith_pd")


def unifrac(
    tree: _palmette.Tree,
    counts: Counts,
    metric: str,
    parameters: tuple[float, float],
    lengths: Floats | None,
    root_length: bool,
    threads: int | None,
) -> Any:
    """Distances of all pairs of samples."""
    if metric == "faith":
        raise ValueError("metric: expected a distance; faith_pd computes Faith PD")
    alpha, order = parameters
    options = (lengths, float(alpha), float(order), bool(root_length), threads_of(threads))
    starts, tips, numbers = counts.rows
    found = square(tree.diversity(metric, starts, tips, numbers, *options), len(starts) - 1)
    if counts.names is None:
        return found
    pandas = need("pandas", "an answer with names of samples")
    return pandas.DataFrame(found, index=counts.names, columns=counts.names)


def square(condensed: Floats, n: int) -> Floats:
    """The distances of all ordered pairs."""
    full = np.zeros((n, n))
    at = 0
    for i in range(n - 1):
        row = condensed[at : at + n - 1 - i]
        full[i, i + 1 :] = row
        full[i + 1 :, i] = row
        at += len(row)
    return full


def _condensed(distances: Any) -> tuple[Floats, int, Any]:
    """Distances in condensed form, the number of rows, and their names if they have any."""
    names = distances.index if _is_frame(distances) else None
    given = floats(distances.to_numpy() if names is not None else distances, "distances")
    if given.ndim == 2 and given.shape[0] == given.shape[1]:
        if not np.allclose(given, given.T, rtol=1e-9, atol=0, equal_nan=True):
            raise ValueError("distances: expected a symmetric matrix")
        n = given.shape[0]
        given = np.ascontiguousarray(given[np.triu_indices(n, 1)])
    elif given.ndim == 1:
        n = int((1 + np.sqrt(1 + 8 * len(given))) / 2)
    else:
        n = -1
    if n < 0 or n * (n - 1) // 2 != given.size:
        shape = np.shape(distances)
        raise ValueError(f"distances: expected a square or a condensed matrix, found shape {shape}")
    return given, n, names


def distance_map(
    distances: ArrayLike,
    names: Sequence[Any] | None = None,
    *,
    title: str = "Distances",
    quantity: str = "distance",
) -> Picture:
    """A picture of distances as a map of colours, its rows in the order of a clustering by average
    distance (UPGMA).

    ``distances`` are a square matrix, a condensed one as of scipy, or a data frame of pandas, whose
    index has the names.

    >>> palmette.distance_map([[0, 3, 4], [3, 0, 1], [4, 1, 0]], ["a", "b", "c"])
    <Picture of Distances>
    """
    given, n, index = _condensed(distances)
    rows = index if names is None else names
    called = [str(k) for k in range(n)] if rows is None else [str(name) for name in rows]
    if len(called) != n:
        raise ValueError(f"names: {len(called)} for {n} rows")
    return Picture(title, _palmette.distance_map(given, called, title, quantity))


def pcoa(
    distances: ArrayLike,
    *,
    axes: int = 10,
    seed: int = _palmette.DEFAULT_SEED,
    threads: int | None = None,
) -> Pcoa:
    """Principal coordinates (classical scaling) of samples, from a square matrix of distances, or
    a condensed one as of scipy.

    Only axes of positive eigenvalues are returned. Signs of axes have no meaning: the coordinate of
    the largest size is positive.

    >>> import numpy as np
    >>> found = palmette.pcoa(np.array([[0, 3, 4], [3, 0, 1], [4, 1, 0]]))
    >>> found.coordinates.round(6)
    array([[ 2.333333],
           [-0.666667],
           [-1.666667]])
    """
    given, n, names = _condensed(distances)
    options = (n, whole(axes, "axes", 1), whole(seed, "seed"), threads_of(threads))
    found, values, shares, negative = _palmette.pcoa(given, *options)
    coordinates: Any = np.stack(found, axis=1) if found else np.zeros((n, 0))
    if names is not None:
        pandas = need("pandas", "an answer with names of samples")
        heads = [f"PC{k + 1}" for k in range(len(found))]
        coordinates = pandas.DataFrame(coordinates, index=names, columns=heads)
    return Pcoa(coordinates, np.array(values), np.array(shares), negative)
