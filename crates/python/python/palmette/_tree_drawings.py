"""Layouts on grids of processors, and drawings."""

from __future__ import annotations

import os
from typing import Any

from palmette import _draw, _palmette
from palmette._arrays import grid_of, indices, threads_of, whole
from palmette._tree_facts import Facts
from palmette.layout import Layout
from palmette.picture import Picture


class Drawings(Facts):
    """Layouts on grids of processors, and drawings."""

    def layout(
        self,
        curve: str = _palmette.DEFAULT_CURVE,
        order: str = _palmette.DEFAULT_ORDER,
        *,
        grid: tuple[int, int] | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        time_limit: float = _palmette.DEFAULT_TIME_LIMIT,
        threads: int | None = None,
    ) -> Layout:
        """Places the vertices on a grid of processors: numbered in an order, laid along a curve.

        ``seed`` and ``time_limit`` (seconds) are for the order ``refined``.

        >>> layout = palmette.Tree.from_parents([-1, 0, 0, 1]).layout()
        >>> layout.x, layout.y, layout.energy
        (array([0, 1, 0, 1]), array([0, 1, 1, 0]), 4)
        """
        options = (grid_of(grid), whole(seed, "seed"), float(time_limit), threads_of(threads))
        return Layout(self._core.layout(curve, order, *options))

    def draw(
        self,
        *,
        layout: str = "rectangular",
        colour: Any = None,
        colour_name: str = "value",
        highlight: Any = None,
        collapse: Any = None,
        rows: int | None = None,
        lengths: bool = True,
        unit: str = "",
        dots: float | None = None,
    ) -> Picture:
        """A drawing of a tree of any size: ``rectangular`` or ``circular``, where large clades are
        triangles.

        ``colour`` colours branches: ``"support"``, ``"length"``, numbers or words by vertex, or a mapping
        from vertices or labels to them; inner vertices without one have the mean, or the word, of their
        tips. ``colour_name`` is what the key calls it. ``highlight`` marks clades: a label, several, or a
        mapping from labels to words. ``collapse`` names clades to collapse. At most ``rows`` tips and
        triangles are drawn. ``dots`` is the support from which a branch gets a dot.

        >>> tree = palmette.Tree.from_newick("((Homo:6,Pan:6)Hominini:2,Gorilla:8);")
        >>> tree.draw(colour={"Homo": "land", "Pan": "trees"}, highlight="Hominini")
        <Picture of newick>
        """
        options = (layout, colour, colour_name, highlight, collapse, rows, lengths, unit, dots)
        return Picture(self._core.name, self._drawn(*options, False))

    def page(
        self,
        path: str | os.PathLike[str],
        *,
        layout: str = "rectangular",
        colour: Any = None,
        colour_name: str = "value",
        lengths: bool = True,
        unit: str = "",
    ) -> None:
        """Writes a page to look around in the tree: pan, zoom, search a name, collapse clades. It is one
        file that fetches nothing; a tree of 10^6 tips takes about 13 MB. ``layout`` is that in which the
        page opens; ``colour`` is as in :meth:`draw`.
        """
        none = None
        options = (layout, colour, colour_name, none, none, none, lengths, unit, none)
        text = self._drawn(*options, True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _drawn(
        self,
        layout: str,
        colour: Any,
        colour_name: str,
        highlight: Any,
        collapse: Any,
        tips: int | None,
        lengths: bool,
        unit: str,
        support: float | None,
        page: bool,
    ) -> str:
        def vertex(key: Any) -> int:
            return self.vertex(key) if isinstance(key, str) else int(indices(key, "vertex"))

        name, numbers, words = _draw.colours(colour, colour_name, len(self), vertex)
        marked = _draw.clades(highlight, vertex)
        closed = [v for v, _ in _draw.clades(collapse, vertex)]
        limit = None if tips is None else whole(tips, "tips")
        return self._core.draw(
            layout, name, numbers, words, marked, closed, limit, lengths, unit, support, page
        )
