"""Parsimony: the fewest or cheapest changes along a tree, and ancestral states."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from typing import Any, Union

import numpy as np
from numpy.typing import ArrayLike, NDArray

from palmette import _palmette
from palmette._arrays import Floats, threads_of

#: A file, sequences by name, or an array of bytes with a row per tip.
Sequences = Union[str, "os.PathLike[str]", Mapping[str, Any], ArrayLike]


class Parsimony:
    """What :meth:`palmette.Tree.parsimony` finds."""

    def __init__(
        self,
        site_scores: Floats,
        branch_scores: Floats | None,
        states: tuple[NDArray[np.uint32], list[str]] | None,
        alphabet: str,
        figures: str,
    ) -> None:
        #: The least cost of each site.
        self.site_scores = site_scores
        #: By vertex, what changes on the branch to its parent cost in one reconstruction of least cost;
        #: they sum up to :attr:`score`.
        self.branch_scores = branch_scores
        #: The states, in the order of costs and of the bits of :attr:`sets`.
        self.alphabet = alphabet
        #: The figures of the command's record.
        self.result: dict[str, Any] = json.loads(figures)
        self._states = states

    @property
    def score(self) -> float:
        """The least cost of the alignment."""
        return float(self.site_scores.sum())

    @property
    def states(self) -> list[str] | None:
        """By vertex, its states as a sequence: one letter for a state, a code or ``{...}`` for several."""
        return None if self._states is None else self._states[1]

    @property
    def sets(self) -> NDArray[np.uint32] | None:
        """By vertex and site, its states as bits: bit ``k`` is the state ``alphabet[k]``."""
        if self._states is None:
            return None
        return self._states[0].reshape(-1, len(self.site_scores))

    def __repr__(self) -> str:
        return f"<Parsimony of {len(self.site_scores)} sites: {self.score:g}>"


def run(
    core: _palmette.Tree,
    labels: list[str],
    tips: NDArray[np.bool_],
    alignment: Sequences,
    cost: Any,
    options: tuple[Any, ...],
    threads: int | None,
) -> Parsimony:
    """Turns what users have into what the extension takes."""
    path, names, sequences = None, [], []
    if isinstance(alignment, (str, os.PathLike)):
        path = os.fspath(alignment)
    elif isinstance(alignment, Mapping):
        names = [str(name) for name in alignment]
        sequences = [s.encode() if isinstance(s, str) else bytes(s) for s in alignment.values()]
    else:
        names = [label for label, tip in zip(labels, tips) if tip]
        sequences = _rows(alignment, len(names))
    cost_file, costs = None, None
    if isinstance(cost, (str, os.PathLike)):
        cost_file = os.fspath(cost)
    elif cost is not None:
        square = np.asarray(cost, dtype=np.float64)
        if square.ndim != 2 or square.shape[0] != square.shape[1]:
            raise ValueError(f"cost: expected a square matrix, found shape {square.shape}")
        costs = square.reshape(-1).tolist()
    kind, alphabet, gaps, states, ignore_missing = options
    given = (kind, alphabet, gaps, states, ignore_missing, threads_of(threads))
    found = core.parsimony(path, names, sequences, cost_file, costs, *given)
    return Parsimony(*found)


def _rows(alignment: Any, tips: int) -> list[bytes]:
    """The rows of an array of characters or of their codes."""
    array = np.asarray(alignment)
    if array.dtype.kind == "U" and array.dtype.itemsize == 4:
        array = array.astype("S1")
    if array.dtype == np.dtype("S1"):
        array = array.view(np.uint8)
    if array.ndim != 2 or array.dtype != np.uint8:
        text = f"found shape {array.shape} of {array.dtype}"
        raise ValueError(f"alignment: expected bytes by tip and site, {text}")
    if len(array) != tips:
        raise ValueError(f"alignment: expected a row per tip, {tips} in all, found {len(array)}")
    return [row.tobytes() for row in array]
