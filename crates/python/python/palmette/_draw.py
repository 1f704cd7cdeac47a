"""What drawings of trees are given, as the extension takes it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import numpy as np

from palmette._arrays import Floats

Words = list[str | None]
Colours = tuple[str | None, Floats | None, Words | None]


def colours(colour: Any, name: str, count: int, vertex: Callable[[Any], int]) -> Colours:
    """The name of what colours branches, and numbers or words by vertex."""
    if colour is None:
        return None, None, None
    if isinstance(colour, str):
        if colour not in ("support", "length"):
            raise ValueError(f"colour: expected 'support', 'length', an array or a mapping, found {colour!r}")
        return colour, None, None
    if isinstance(colour, Mapping):
        cells: list[Any] = [None] * count
        for key, value in colour.items():
            cells[vertex(key)] = value
    else:
        cells = list(colour)
        name = str(getattr(colour, "name", None) or name)
        if len(cells) != count:
            raise ValueError(f"colour: {len(cells)} values for {count} vertices")
    missing = [cell is None or cell != cell for cell in cells]
    is_word = [isinstance(cell, str) for cell, no in zip(cells, missing) if not no]
    if any(is_word):
        return name, None, [None if no else str(cell) for cell, no in zip(cells, missing)]
    numbers = [np.nan if no else float(cell) for cell, no in zip(cells, missing)]
    return name, np.array(numbers, dtype=np.float64), None


def clades(given: Any, vertex: Callable[[Any], int]) -> list[tuple[int, str]]:
    """Vertices with words: from a name, several, or a mapping from names to words."""
    if given is None:
        return []
    if isinstance(given, Mapping):
        return [(vertex(key), str(words)) for key, words in given.items()]
    if isinstance(given, (str, int, np.integer)):
        given = [given]
    found: Iterable[Any] = given
    return [(vertex(key), "") for key in found]


__all__ = ["clades", "colours"]
