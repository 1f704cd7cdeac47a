"""Rasters as graphs: resistances and currents between places of a landscape."""

from __future__ import annotations

import os
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, Integers, floats, indices, plain, threads_of, whole
from palmette.solver import solve_options


class FocalCurrents(NamedTuple):
    """Currents that flowed between focal points."""

    #: The points of each pair, by their places in what was given: shape (m, 2); in the modes that are
    #: not pairwise each point with itself.
    pairs: Integers
    #: By pair its resistance, infinite where nothing flows; one-to-all: from a point to all others.
    #: None for all-to-one, where sources have different potentials.
    resistance: Floats | None
    #: By vertex, the sum of the currents through it.
    current: Floats
    #: By vertex its potential, if only one current flowed.
    potential: Floats | None


def raster_options(
    neighbours: int | None, cells: str | None, mean: str | None
) -> dict[str, Any] | None:
    """How a raster is read, as the extension takes it; None if nothing is said."""
    if neighbours is None and cells is None and mean is None:
        return None
    return {
        "neighbours": 8 if neighbours is None else whole(neighbours, "neighbours"),
        "cells": "resistance" if cells is None else cells,
        "mean": mean,
    }


def regions_of(points: Any) -> list[list[int]]:
    """Focal points as lists of vertices: of a dict its values; vertices alone are regions of one."""
    given = list(points.values()) if isinstance(points, dict) else list(points)
    found: list[list[int]] = []
    for region in given:
        vertices: Any = np.atleast_1d(indices(region, "points")) if np.size(region) else []
        found.append([int(v) for v in vertices])
    return found


class Landscape:
    """What graphs can do between focal points; :class:`Graph` has it all."""

    _core: _palmette.Graph

    @property
    def shape(self) -> tuple[int, int] | None:
        """Rows and columns of the raster, if the graph is of one."""
        found = self._core.landscape()
        return None if found is None else (found[0], found[1])

    @property
    def places(self) -> Integers | None:
        """By vertex the row and the column of its cell: shape (n, 2); None if there is no raster."""
        cells, shape = self._core.cells(), self.shape
        if cells is None or shape is None:
            return None
        return np.stack([cells // shape[1], cells % shape[1]], axis=1)

    def raster(self, values: ArrayLike) -> Floats:
        """Values of vertices in their cells; NaN where there are no data."""
        cells, shape = self._core.cells(), self.shape
        if cells is None or shape is None:
            raise ValueError("this graph is not of a raster")
        given = floats(values, "values")
        if given.shape != cells.shape:
            raise ValueError(f"values: expected shape {cells.shape}, found {given.shape}")
        found = np.full(shape, np.nan)
        found.reshape(-1)[cells] = given
        return found

    def read_points(
        self, path: str | os.PathLike[str], *, skip_nodata: bool = False
    ) -> dict[str, list[int]]:
        """Reads focal points: by name, the vertices of each region.

        Of a raster another one of the same shape, whose positive numbers name regions, or lines of
        number, x and y; of other graphs lines of a vertex, or of a region's vertices. Points on cells
        without data are an error, or left out with ``skip_nodata``.
        """
        names, vertices, _ = self._core.read_points(os.fspath(path), skip_nodata)
        return dict(zip(names, vertices))

    def focal_resistance(
        self,
        points: Any,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Floats:
        """The effective resistances between all pairs of focal points, as a square array.

        ``points`` are vertices, or regions of several, which conduct without resistance; or a dict of
        them. All pairs among k vertices take k - 1 solves.

        >>> import numpy as np
        >>> hills = palmette.Graph.from_raster([[1.0, 1.0, 1.0], [np.nan, 1.0, 1.0]], neighbours=4)
        >>> hills.focal_resistance([0, 2, [3, 4]]).round(3).tolist()
        [[0.0, 1.75, 1.667], [1.75, 0.0, 0.667], [1.667, 0.667, 0.0]]
        """
        options = solve_options(preconditioner, tolerance, max_iterations, seed, memory, threads)
        regions = regions_of(points)
        pairs, values = self._core.focal_resistance(regions, options)
        square = np.zeros((len(regions), len(regions)))
        first, second = pairs.reshape(-1, 2).T
        square[first, second] = square[second, first] = values
        return square

    def focal_currents(
        self,
        points: Any,
        mode: str = "pairwise",
        *,
        pairs: ArrayLike | None = None,
        only: ArrayLike | None = None,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> FocalCurrents:
        """The currents through all vertices, summed over what flows between focal points.

        ``mode`` is ``pairwise`` (1 from one to the other, for each pair), ``one-to-all`` (1 from each
        to all others, which are grounded) or ``all-to-one``. ``pairs`` (shape (m, 2)) and ``only``
        choose among the points by their places in ``points``.

        >>> path = palmette.Graph.generate("path:4")
        >>> path.focal_currents([0, 2, 3]).current.tolist()
        [2.0, 2.0, 3.0, 2.0]
        """
        options = solve_options(preconditioner, tolerance, max_iterations, seed, memory, threads)
        chosen = None
        if pairs is not None:
            array = indices(pairs, "pairs")
            if array.ndim != 2 or array.shape[1] != 2:
                raise ValueError(f"pairs: expected shape (m, 2), found {array.shape}")
            chosen = [(int(a), int(b)) for a, b in array]
        some = None if only is None else [int(k) for k in np.atleast_1d(indices(only, "only"))]
        found = self._core.focal_currents(regions_of(points), mode, chosen, some, options)
        return FocalCurrents(found[0].reshape(-1, 2), *found[1:])

    def driven_currents(
        self,
        sources: ArrayLike,
        grounds: ArrayLike,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> tuple[Floats, Floats]:
        """Potentials, and the currents through all vertices, when ``sources[v]`` enters at each vertex
        and ``grounds[v]`` is its conductance to ground (infinite: ground itself).

        >>> path = palmette.Graph.generate("path:3")
        >>> potentials, currents = path.driven_currents([2.0, 0, 0], [0, 0, np.inf])
        >>> potentials.round(9).tolist(), currents.round(9).tolist()
        ([4.0, 2.0, 0.0], [2.0, 2.0, 2.0])
        """
        options = solve_options(preconditioner, tolerance, max_iterations, seed, memory, threads)
        entering, ground = floats(sources, "sources"), floats(grounds, "grounds")
        return self._core.driven_currents(entering, ground, options)


def raster_core(
    values: Any, neighbours: int, cells: str, mean: str | None, threads: int | None
) -> _palmette.Graph:
    """The graph of a raster in an array."""
    array = floats(plain(values, "raster"), "raster")
    if array.ndim != 2 or 0 in array.shape:
        raise ValueError(f"raster: expected rows of cells, found shape {array.shape}")
    options = raster_options(neighbours, cells, mean)
    flat = np.ascontiguousarray(array).reshape(-1)
    return _palmette.Graph.from_raster(array.shape[1], flat, options or {}, threads_of(threads))
