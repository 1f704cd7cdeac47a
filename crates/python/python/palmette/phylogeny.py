"""Comparing phylogenies."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable
from typing import Any

import numpy as np

from palmette import _palmette
from palmette._arrays import Floats, threads_of
from palmette.tree import Tree

Trees = "str | os.PathLike[str] | Iterable[Tree]"


def _cores(trees: Any) -> list[_palmette.Tree]:
    """The trees of a file, or those given."""
    if isinstance(trees, (str, os.PathLike)):
        return [Tree.read(trees, tree="all")._core]
    return [tree._core for tree in trees]


def compare(
    a: Tree, b: Tree, *, rooted: bool | None = None, shared: bool = False, quartets: bool = False
) -> dict[str, Any]:
    """How far two trees are from each other: ``rf`` (Robinson–Foulds), ``rf_normalised``, ``shared_splits``, and where both
    have branch lengths ``wrf`` and ``kf``.

    Tips are matched by name. Splits of the unrooted trees are compared, or with ``rooted`` clusters, by default if
    files say that both trees are rooted (``[&R]``). Tips that only one tree has are an error, unless ``shared`` leaves
    them out. ``quartets`` adds ``quartet``, the sets of four tips that the trees divide differently, and
    ``quartet_normalised``, which takes quadratic time.

    >>> a, b = (palmette.Tree.from_newick(t) for t in ("((a,b),c,d);", "((a,c),b,d);"))
    >>> palmette.compare(a, b)["rf"]
    2
    """
    text = _palmette.compare_pair([a._core, b._core], rooted, shared, quartets)
    found: dict[str, Any] = json.loads(text)
    return found


def compare_all(
    trees: Any,
    distance: str = "rf",
    *,
    rooted: bool | None = None,
    shared: bool = False,
    condensed: bool = False,
    threads: int | None = None,
) -> Floats:
    """Distances of all pairs of trees, which are a list or a file of many: a square matrix, or ``condensed`` as in scipy.

    ``distance`` is ``rf``, ``rf-normalised``, ``wrf``, ``kf`` or ``quartet``.

    >>> trees = [palmette.Tree.from_newick(t) for t in ("((a,b),c,d);", "((a,c),b,d);")]
    >>> palmette.compare_all(trees)
    array([[0., 2.],
           [2., 0.]])
    """
    found = _palmette.compare_many(_cores(trees), distance, rooted, shared, threads_of(threads))
    if condensed:
        return found
    n = (1 + int(np.sqrt(1 + 8 * len(found)))) // 2
    square = np.zeros((n, n))
    square[np.triu_indices(n, 1)] = found
    return square + square.T


def consensus(
    trees: Any, kind: str | float = "majority", *, rooted: bool | None = None, shared: bool = False
) -> Tree:
    """The tree of the splits that more than half of the trees have (``"majority"``), more than a share of them, or all
    (``"strict"``). Labels of inner vertices are percentages of trees; lengths are means.

    >>> trees = [palmette.Tree.from_newick(t) for t in ("((a,b),c,d);", "((a,b),(c,d));")]
    >>> palmette.consensus(trees).labels
    ['#0', 'a', 'b', '100', 'c', 'd']
    """
    share = {"majority": 0.5, "strict": None}[kind] if isinstance(kind, str) else float(kind)
    return Tree(_palmette.consensus_of(_cores(trees), share, rooted, shared))
