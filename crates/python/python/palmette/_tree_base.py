"""What all parts of a tree share: the core, and vertices by number or label."""

from __future__ import annotations

from typing import Any

import numpy as np

from palmette import _palmette
from palmette._arrays import Floats, Integers, floats, indices, plain


class TreeBase:
    """What all parts of a tree share: the core, and vertices by number or label."""

    def __init__(self, core: _palmette.Tree) -> None:
        if not isinstance(core, _palmette.Tree):
            makers = "from_parents, from_newick, read, from_arrow, from_networkx or from_scipy"
            raise TypeError(f"use Tree.{makers}")
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        roots = self._core.root_count
        what = f"<Tree of {len(self)} vertices"
        return f"{what}, {roots} roots>" if roots != 1 else f"{what}>"

    def _lengths(self, lengths: Any) -> Floats | None:
        """The lengths given by the caller; None for the tree's own."""
        if isinstance(lengths, (bool, np.bool_)):
            return None
        given = floats(lengths, "lengths")
        if given.shape != (len(self),):
            text = f"expected one length per vertex, {len(self)} in all, found shape {given.shape}"
            raise ValueError(f"lengths: {text}")
        return given

    def _vertices(self, x: Any, what: str) -> Integers:
        """Vertices by number, or by label."""
        if isinstance(x, str):
            return self._core.find([x]).reshape(())
        if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
            return indices(x, what)
        array = plain(x, what)
        texts = array.dtype.kind == "U"
        if array.dtype.kind == "O" and array.size:
            texts = all(isinstance(label, str) for label in array.reshape(-1))
        if not texts:
            return indices(array, what)
        found = self._core.find([str(label) for label in array.reshape(-1)])
        return found.reshape(array.shape)

    def _together(self, *given: Any) -> tuple[list[Integers], tuple[int, ...]]:
        """Vertices that broadcast, each in one row, and the shape of an answer."""
        names = ["u", "v", *(f"vertex {k}" for k in range(3, len(given) + 1))]
        found = [self._vertices(x, name) for x, name in zip(given, names)]
        try:
            wide = np.broadcast_arrays(*found)
        except ValueError:
            shapes = " and ".join(str(x.shape) for x in found)
            raise ValueError(f"vertices: shapes {shapes} do not broadcast") from None
        return [np.ascontiguousarray(x).reshape(-1) for x in wide], wide[0].shape

    def _set(self, vertices: tuple[Any, ...]) -> Integers:
        """Vertices in one row."""
        found = [self._vertices(x, "vertices").reshape(-1) for x in vertices]
        return np.concatenate([np.zeros(0, np.int64), *found])
