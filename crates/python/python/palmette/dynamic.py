"""Skeletons that follow a graph as it changes."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, Integers, floats, indices, maybe_whole, threads_of
from palmette.graph import Graph
from palmette.solver import SolveInfo


class DynamicSparsifier:
    """A graph whose edges come, go and change, and its spectral skeleton after every update.

    ``budget`` is how many edges are recovered at first (``"10%V"``, or a number), ``most`` how many at
    any time, ``share`` the part of inserted edges that is kept in the long run, ``condition`` a
    condition number to keep, ``refresh`` after how many updates per vertex the skeleton is made good
    again (0 is never). With ``upsert=True`` an edge that is inserted and exists gets the new weight,
    one that gets a weight and does not exist is inserted, and the deletion of one that does not exist
    is passed over. None is the default of the command.

    An update that cannot be done is a ``ValueError``; those before it are done.

    >>> import numpy as np
    >>> skeleton = palmette.DynamicSparsifier(palmette.Graph.generate("grid:30x30"))
    >>> skeleton.delete([[0, 1], [30, 31]])
    >>> skeleton.insert([[0, 899]], 2.0)
    >>> skeleton
    <DynamicSparsifier of 900 vertices, 1739 edges, 3 updates>
    >>> currents = np.zeros(900)
    >>> currents[0], currents[899] = 1.0, -1.0
    >>> x, info = skeleton.solve(currents)
    >>> bool(0.4 < x[0] - x[899] < 0.5)
    True
    """

    def __init__(
        self,
        graph: Graph,
        *,
        budget: str | int | None = None,
        most: str | int | None = None,
        share: float | None = None,
        condition: float | None = None,
        refresh: float | None = None,
        upsert: bool = False,
        threads: int | None = None,
    ) -> None:
        if not isinstance(graph, Graph):
            raise TypeError(f"graph: expected a palmette.Graph, found {type(graph).__name__}")
        options = {
            "budget": None if budget is None else str(budget),
            "most": None if most is None else str(most),
            "share": None if share is None else float(share),
            "condition": None if condition is None else float(condition),
            "refresh": None if refresh is None else float(refresh),
            "upsert": bool(upsert),
        }
        self._core = graph._core.dynamic(options, threads_of(threads))

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return (
            f"<DynamicSparsifier of {len(self)} vertices, {self.edge_count} edges, "
            f"{self.updates} updates>"
        )

    @property
    def edge_count(self) -> int:
        """The number of edges of the graph."""
        return self._core.edge_count

    @property
    def density(self) -> float:
        """Recovered edges per vertex."""
        return self._core.density

    @property
    def updates(self) -> int:
        """Updates done."""
        return self._core.updates

    @property
    def refreshes(self) -> int:
        """How often the skeleton was refreshed."""
        return self._core.refreshes

    @property
    def tree_edges(self) -> Integers:
        """The edges of the spanning forest, in order: shape (m, 2)."""
        return self._core.tree_edges().reshape(-1, 2)

    @property
    def recovered_edges(self) -> Integers:
        """The recovered edges, in order: shape (k, 2)."""
        return self._core.recovered_edges().reshape(-1, 2)

    def insert(self, edges: ArrayLike, weights: ArrayLike = 1.0, *, threads: int | None = None) -> None:
        """Edges come, in their order; shape (m, 2)."""
        self._apply("insert", edges, weights, threads)

    def delete(self, edges: ArrayLike, *, threads: int | None = None) -> None:
        """Edges go, in their order."""
        self._apply("delete", edges, None, threads)

    def set_weights(self, edges: ArrayLike, weights: ArrayLike, *, threads: int | None = None) -> None:
        """Edges get other weights, in their order."""
        self._apply("weight", edges, weights, threads)

    def _apply(
        self, change: str, edges: ArrayLike, weights: ArrayLike | None, threads: int | None
    ) -> None:
        ends = indices(edges, "edges")
        if ends.size == 0:
            ends = ends.reshape(0, 2)
        if ends.ndim != 2 or ends.shape[1] != 2:
            raise ValueError(f"edges: expected shape (m, 2), found {ends.shape}")
        none = np.zeros(0)
        if weights is not None:
            given = floats(weights, "weights")
            if given.shape not in ((), (len(ends),)):
                raise ValueError(f"weights: expected shape ({len(ends)},), found {given.shape}")
            none = np.ascontiguousarray(np.broadcast_to(given, (len(ends),)))
        self._core.apply(change, np.ascontiguousarray(ends).reshape(-1), none, threads_of(threads))

    def condition(self, *, threads: int | None = None) -> float:
        """The relative condition number of graph and skeleton, estimated from below."""
        return self._core.condition(threads_of(threads))

    def graph(self) -> Graph:
        """The graph as it is."""
        return Graph(self._core.graph(False))

    def skeleton(self) -> Graph:
        """The skeleton as it is, with the weights of the graph."""
        return Graph(self._core.graph(True))

    def solve(
        self,
        currents: ArrayLike,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        max_iterations: int | None = None,
        threads: int | None = None,
    ) -> tuple[Floats, SolveInfo]:
        """Potentials for currents on the graph as it is, preconditioned by the skeleton.

        The mean of the currents is taken out of each part of the graph.
        """
        most = maybe_whole(max_iterations, "max_iterations")
        array = floats(currents, "currents")
        if array.ndim != 1:
            raise ValueError(f"currents: expected shape ({len(self)},), found {array.shape}")
        found = self._core.solve(array, float(tolerance), most, threads_of(threads))
        x, iterations, residual, history = found
        return x, SolveInfo("sparsifier", iterations, residual, 0.0, [history])


__all__ = ["DynamicSparsifier"]
