"""Trees laid out on grids."""

from __future__ import annotations

from functools import cached_property

from palmette import _palmette
from palmette._arrays import Integers


class Layout:
    """Where the vertices of a tree lie on a grid, and what a message along every edge costs.

    Notebooks display it as a picture.
    """

    def __init__(self, core: _palmette.Layout) -> None:
        self._core = core

    @cached_property
    def _places(self) -> tuple[Integers, Integers]:
        return self._core.places()

    @property
    def x(self) -> Integers:
        """By vertex, its column."""
        return self._places[0]

    @property
    def y(self) -> Integers:
        """By vertex, its row."""
        return self._places[1]

    @property
    def positions(self) -> Integers:
        """By vertex, its position, which is the address of its processor."""
        return self._core.positions()

    @property
    def grid(self) -> tuple[int, int]:
        """Columns and rows."""
        return self._core.grid

    @property
    def curve(self) -> str:
        """The curve."""
        return self._core.curve

    @property
    def order(self) -> str:
        """The order."""
        return self._core.order

    @property
    def energy(self) -> int:
        """The total distance of one message along every edge."""
        return self._core.energy

    @property
    def energy_per_vertex(self) -> float:
        """The energy over the number of vertices."""
        return self._core.energy_per_vertex

    @property
    def longest_edge(self) -> int:
        """The longest of these distances."""
        return self._core.longest_edge

    @property
    def max_link_load(self) -> int | None:
        """The largest number of messages over a link; None if the grid is too large to count."""
        return self._core.max_link_load

    def svg(self) -> str:
        """A picture."""
        return self._core.svg()

    def __repr__(self) -> str:
        width, height = self.grid
        return (
            f"<Layout of {self._core.vertices} vertices, {self.order} order on {self.curve}, "
            f"{width}x{height}, {self.energy_per_vertex:.3g} energy per vertex>"
        )

    def _repr_html_(self) -> str:
        return _palmette.picture_html(repr(self), self.svg())
