"""Graphs as electrical networks."""

from __future__ import annotations

import os
import warnings
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import (
    Floats, Integers, columns, floats, indices, maybe_whole, need, plain, threads_of, whole,
    wrong
)
from palmette.landscape import FocalCurrents, Landscape, raster_core, raster_options
from palmette.solver import SolveInfo, Solver, solve_options

class EdgeResistances(NamedTuple):
    """The effective resistances across all edges of a graph."""

    #: The edges: shape (m, 2).
    edges: Integers
    #: By edge, the resistance between its ends.
    resistance: Floats
    #: By edge, the probability that a random spanning tree has it: weight times resistance.
    centrality: Floats
    #: A relative error: of exact ones by their sum, of projected ones by a sample.
    error: float


class MinimumCut(NamedTuple):
    """A minimum cut of a graph."""

    #: The weight of its edges.
    value: float
    #: The vertices of the smaller side.
    side: Integers
    #: Its edges: shape (m, 2).
    edges: Integers
    #: By edge, its weight.
    weights: Floats
    #: How far below ``value`` a lighter cut could be, because weights were rounded; 0 if exact.
    error: float
    #: Spanning trees whose cuts were looked at.
    trees: int


class Sparsifier:
    """The spectral skeleton of a graph: a spanning tree and a few recovered edges."""

    def __init__(self, graph: Graph, tree: Integers, recovered: Integers, non_crossing: int) -> None:
        #: The edges of the spanning tree (or forest), by falling effective weight: shape (m, 2).
        self.tree_edges = tree.reshape(-1, 2)
        #: The recovered edges in the order of recovery: shape (k, 2).
        self.recovered_edges = recovered.reshape(-1, 2)
        #: How many recovered edges join a vertex with an ancestor.
        self.non_crossing = non_crossing
        #: The skeleton with the weights of the graph, and its conductances to ground.
        self.graph = Graph(graph._core.subgraph(np.concatenate([tree, recovered])))

    def adjacency(self) -> Any:
        """The weights of the skeleton as a sparse array of scipy."""
        return self.graph.adjacency()

    def laplacian(self) -> Any:
        """The Laplacian of the skeleton as a sparse array of scipy."""
        return self.graph.laplacian()

    def __repr__(self) -> str:
        tree, recovered = len(self.tree_edges), len(self.recovered_edges)
        return f"<Sparsifier: {tree} tree edges, {recovered} recovered>"


class Graph(Landscape):
    """A weighted graph; weights are conductances. Vertices are numbers from 0.

    What a graph was made from is an attribute; what is computed from it is a method.

    Graphs are made by :meth:`from_scipy` and :meth:`read`.

    >>> import numpy as np
    >>> from scipy.sparse import csr_array
    >>> wires = csr_array(np.array([[0, 2.0, 0], [2.0, 0, 1.0], [0, 1.0, 0]]))
    >>> graph = palmette.Graph.from_scipy(wires)
    >>> graph
    <Graph of 3 vertices, 2 edges>
    >>> x, info = graph.solve([1.0, 0.0, -1.0])
    >>> round(float(x[0] - x[2]), 9), round(graph.resistance(0, 2), 9)
    (1.5, 1.5)
    """

    def __init__(self, core: _palmette.Graph) -> None:
        if not isinstance(core, _palmette.Graph):
            raise TypeError("use Graph.from_scipy or Graph.read")
        self._core = core

    @classmethod
    def from_scipy(cls, matrix: Any, *, form: str = "auto", threads: int | None = None) -> Graph:
        """A graph from a symmetric matrix, sparse or dense.

        Positive entries off the diagonal are weights. Negative ones make the matrix a Laplacian.
        Where its diagonal exceeds the sum of its row by more than rounding (:attr:`rounding`), the
        excess is a conductance to ground. ``form`` (``adjacency`` or ``laplacian``) requires one of
        them.
        """
        if hasattr(matrix, "tocoo"):
            entries = matrix.tocoo()
            if len(entries.shape) != 2:
                raise ValueError(f"matrix: expected two dimensions, found shape {entries.shape}")
            row, column, data = entries.row, entries.col, entries.data
            shape = (int(entries.shape[0]), int(entries.shape[1]))
        else:
            dense = plain(matrix, "matrix")
            if dense.ndim != 2:
                raise ValueError(f"matrix: expected two dimensions, found shape {dense.shape}")
            if dense.dtype.kind not in "biuf":
                raise wrong("matrix", "real numbers", dense)
            row, column = np.nonzero(dense)
            data = dense[row, column]
            shape = (int(dense.shape[0]), int(dense.shape[1]))
        core = _palmette.Graph.from_entries(
            "matrix",
            shape,
            indices(row, "rows"),
            indices(column, "columns"),
            floats(data, "matrix"),
            form,
            threads_of(threads),
        )
        return cls._noting(core)

    @classmethod
    def generate(
        cls,
        shape: str,
        *,
        weights: str = "unit",
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> Graph:
        """A built-in shape: ``grid:60x60``, ``random:1000:10``, ``geometric:1000:8``,
        ``road:1000`` and others, as in ``palmette graph generate``.

        ``weights`` is ``unit``, ``uniform:LOW:HIGH`` or ``log-uniform:LOW:HIGH``.

        >>> palmette.Graph.generate("grid:3x4")
        <Graph of 12 vertices, 17 edges>
        """
        number = whole(seed, "seed")
        return cls(_palmette.Graph.generate(shape, weights, number, threads_of(threads)))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        neighbours: int | None = None,
        cells: str | None = None,
        mean: str | None = None,
        threads: int | None = None,
    ) -> Graph:
        """Reads a graph: Matrix Market, METIS, a raster (ASCII grid) or a SPICE netlist, optionally
        gzip or zstd.

        ``format`` is ``matrix-market``, ``metis``, ``spice`` or ``ascii-grid``; the default is found
        from the name, then from the content. The others are for rasters, as in :meth:`from_raster`.
        """
        raster = raster_options(neighbours, cells, mean)
        return cls._noting(_palmette.Graph.read(os.fspath(path), format, raster, threads_of(threads)))

    @classmethod
    def from_raster(
        cls,
        raster: Any,
        *,
        neighbours: int = 8,
        cells: str = "resistance",
        mean: str | None = None,
        threads: int | None = None,
    ) -> Graph:
        """A graph from rows of cells: numbers above 0, or NaN where there are no data.

        Vertices are the cells with data, row by row. ``cells`` says what their numbers are
        (``resistance`` or ``conductance``), ``neighbours`` which cells touch: 4 across sides, 8 across
        corners, too. An edge has the mean of its cells' numbers, or of what ``mean`` says, and is
        longer across corners.

        >>> graph = palmette.Graph.from_raster([[1.0, 2.0], [3.0, np.nan]], neighbours=4)
        >>> graph, graph.shape
        (<Graph of 3 vertices, 2 edges>, (2, 2))
        """
        return cls(raster_core(raster, neighbours, cells, mean, threads))

    @classmethod
    def _noting(cls, core: _palmette.Graph) -> Graph:
        """Makes a graph, and warns if entries were treated as rounding."""
        rounding = core.rounding
        if rounding is not None and rounding[2]:
            warnings.warn(
                f"{core.name}: in {rounding[0]} rows the diagonal differs from the sum of the "
                f"other entries by a relative {rounding[1]:.1e} at most, treated as rounding",
                RuntimeWarning,
                stacklevel=3,
            )
        return cls(core)

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Graph of {len(self)} vertices, {self.edge_count} edges>"

    @property
    def edge_count(self) -> int:
        """The number of edges."""
        return self._core.edge_count

    @property
    def form(self) -> str:
        """What the matrix or file was: ``adjacency``, ``laplacian`` or ``netlist``."""
        return self._core.form

    @property
    def ground(self) -> Floats | None:
        """By vertex, its conductance to ground; None if there is none."""
        return self._core.ground()

    @property
    def nodes(self) -> list[str] | None:
        """The names of the nodes of a netlist."""
        return self._core.nodes()

    @property
    def right_hand_side(self) -> Floats | None:
        """By vertex, the right-hand side of a netlist's equations: ``loads + supplies``.

        ``laplacian() @ x == right_hand_side`` holds for the potentials. To change what the circuit
        draws, change :attr:`loads` alone.
        """
        return self._core.currents()

    @property
    def currents(self) -> Floats | None:
        """Not there any more: it mixed loads with what voltage sources put in."""
        raise AttributeError(
            "Graph.currents is gone: use loads (what current sources put in) and supplies (what voltage"
            " sources put in), as in solve(supplies + 2 * loads), or right_hand_side, their sum"
        )

    @property
    def loads(self) -> Floats | None:
        """By vertex, the current that a netlist's current sources put in; loads are negative.

        >>> import pathlib, tempfile
        >>> path = pathlib.Path(tempfile.mkdtemp(), "grid.spice")
        >>> _ = path.write_text("* grid\\nv1 pad 0 1.8\\nr1 pad a 2\\ni1 a 0 0.1\\n")
        >>> graph = palmette.Graph.read(path)
        >>> graph.loads.tolist(), graph.supplies.tolist()
        ([-0.1], [0.9])
        >>> x, _ = graph.solve(graph.supplies + 2 * graph.loads)
        >>> dict(zip(graph.nodes, graph.voltages(x).round(9).tolist()))
        {'pad': 1.8, '0': 0.0, 'a': 1.4}
        """
        return self._core.loads()

    @property
    def supplies(self) -> Floats | None:
        """By vertex, the current that a netlist's voltage sources put in, were all at 0 V."""
        return self._core.supplies()

    @property
    def rounding(self) -> float:
        """The largest relative difference on a Laplacian's diagonal treated as rounding."""
        rounding = self._core.rounding
        return 0.0 if rounding is None else rounding[1]

    def adjacency(self) -> Any:
        """The weights as a sparse array of scipy."""
        sparse = need("scipy.sparse", "a sparse array")
        offsets, neighbours, weights = self._core.rows()
        shape = (len(self), len(self))
        if len(weights) < 2**31:
            # What scipy chooses by itself, and is faster with.
            offsets, neighbours = offsets.astype(np.int32), neighbours.astype(np.int32)
        return sparse.csr_array((weights, neighbours, offsets), shape=shape)

    def laplacian(self) -> Any:
        """The Laplacian, conductances to ground included, as a sparse array of scipy."""
        sparse = need("scipy.sparse", "a sparse array")
        adjacency = self.adjacency()
        diagonal = adjacency.sum(axis=1)
        if self.ground is not None:
            diagonal = diagonal + self.ground
        return sparse.csr_array(sparse.diags_array(np.asarray(diagonal)) - adjacency)

    def sparsify(
        self,
        rule: str = _palmette.DEFAULT_RULE,
        budget: int | str | None = None,
        *,
        engine: str | None = None,
        beta_cap: int | None = None,
        condition: float | None = None,
        threads: int | None = None,
    ) -> Sparsifier:
        """The spectral skeleton: a spanning tree of edges that matter, and recovered edges.

        ``rule`` is ``contest`` (LGRASS), ``fegrass`` (fast) or ``spectral`` (the best condition
        numbers, for preconditioning); with ``condition``, ``spectral`` recovers as many edges as it
        takes for the relative condition number to be at most that. ``budget`` limits the
        recovered edges: a number, ``"4%"`` of the edges beside the tree, or ``"10%V"`` of the
        number of vertices. ``engine`` and ``beta_cap`` are for ``contest``.
        """
        most = None if budget is None else str(budget)
        cap = maybe_whole(beta_cap, "beta_cap", 0, 2**32 - 1)
        target = None if condition is None else float(condition)
        options = (engine, cap, target, threads_of(threads))
        tree, recovered, crossing = self._core.sparsify(rule, most, *options)
        return Sparsifier(self, tree, recovered, crossing)

    def solver(
        self,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        work: int | None = None,
        stop: str | None = None,
        right_hand_sides: int = 1,
        threads: int | None = None,
    ) -> Solver:
        """Builds a preconditioner for several solves.

        ``preconditioner`` is ``auto``, ``none``, ``jacobi``, ``incomplete-cholesky``, ``tree``,
        ``sparsifier``, ``approximate-cholesky`` or ``direct``; ``memory`` limits the bytes of a
        factor (default: three quarters of what is available), ``work`` its operations. ``auto`` takes
        what is best for ``right_hand_sides`` solves. ``stop`` is what the tolerance is compared with:
        ``residual`` (the default) or ``backward``, the backward error, which gets small however much
        conductances differ.
        """
        options = solve_options(
            preconditioner,
            tolerance,
            max_iterations,
            seed,
            memory,
            threads,
            work=work,
            stop=stop,
            right_hand_sides=right_hand_sides,
        )
        return Solver(self._core.solver(options))

    def solve(
        self,
        b: ArrayLike | None = None,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        work: int | None = None,
        stop: str | None = None,
        threads: int | None = None,
    ) -> tuple[Floats, SolveInfo]:
        """Solves for the potentials of currents ``b``; returns them and a :class:`SolveInfo`.

        Each column is a right-hand side; they share one setup. A netlist has its own currents. In a
        component without ground currents must add up to zero: their mean is subtracted, and so is
        that of the potentials. Raises a :class:`ConvergenceError` if the residual does not get
        small enough.
        """
        if b is None:
            b = self.right_hand_side
            if b is None:
                raise TypeError("b: no currents given, and this graph is not a netlist")
        shape = np.shape(b)
        made = self.solver(
            preconditioner,
            tolerance=tolerance,
            max_iterations=max_iterations,
            seed=seed,
            memory=memory,
            work=work,
            stop=stop,
            right_hand_sides=max(shape[1], 1) if len(shape) == 2 else 1,
            threads=threads,
        )
        return made.solve(b)

    def preconditioner(
        self,
        name: str = _palmette.DEFAULT_PRECONDITIONER,
        *,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Any:
        """An approximate inverse of the Laplacian, which scipy's ``cg`` takes as ``M``.

        >>> from scipy.sparse.linalg import cg
        >>> import numpy as np
        >>> laplacian = np.array([[3.0, -1, -1], [-1, 2, -1], [-1, -1, 3]])
        >>> graph = palmette.Graph.from_scipy(laplacian)
        >>> x, failed = cg(laplacian, np.ones(3), M=graph.preconditioner())
        >>> failed, bool(np.allclose(laplacian @ x, 1))
        (0, True)
        """
        return self.solver(name, seed=seed, memory=memory, threads=threads).as_operator()

    def voltages(self, x: ArrayLike) -> Floats:
        """By node of a netlist, its voltage, from potentials by vertex.

        Several columns of potentials give as many columns of voltages.
        """
        array = floats(x, "x")
        if array.ndim not in (1, 2) or array.shape[0] != len(self):
            raise ValueError(
                f"x: expected {len(self)} rows and one or several columns, found shape {array.shape}"
            )
        found = [self._core.voltages(column) for column in columns(array)]
        if array.ndim == 1:
            return found[0]
        if not found:
            return np.empty((len(self.nodes or []), 0))
        return np.stack(found, axis=1)

    def _nodes(self, x: Any, what: str) -> Integers:
        if isinstance(x, str):
            return np.array(self._core.node(x), np.int64)
        array = plain(x, what)
        if array.dtype.kind == "U":
            found = [self._core.node(str(label)) for label in array.reshape(-1)]
            return np.array(found, np.int64).reshape(array.shape)
        return indices(array, what)

    def resistance(
        self,
        u: Any,
        v: Any = None,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        max_iterations: int | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Any:
        """The effective resistance between vertices; infinite if they are not connected.

        ``u`` and ``v`` are vertices, or arrays of them that broadcast; or ``u`` alone is an
        array of pairs, of shape (m, 2). In a netlist they are numbers or names of nodes.
        """
        first = self._nodes(u, "pairs" if v is None else "u")
        if v is None:
            if first.ndim != 2 or first.shape[1] != 2:
                raise ValueError(f"pairs: expected shape (m, 2), found {first.shape}")
            first, second = first[:, 0], first[:, 1]
        else:
            second = self._nodes(v, "v")
        try:
            first, second = np.broadcast_arrays(first, second)
        except ValueError:
            raise ValueError(
                f"u and v: expected shapes that fit, found {first.shape} and {second.shape}"
            ) from None
        shape = first.shape
        options = solve_options(preconditioner, tolerance, max_iterations, seed, memory, threads)
        flat = [np.ascontiguousarray(x).reshape(-1) for x in (first, second)]
        found = self._core.resistance(flat[0], flat[1], options)
        return found.reshape(shape) if shape else float(found[0])

    def edge_resistances(
        self,
        projections: int | None = None,
        *,
        tolerance: float = _palmette.DEFAULT_TOLERANCE,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> EdgeResistances:
        """The effective resistance across every edge, and its centrality.

        Exact, by the factor of the graph; with ``projections`` by so many random ones, with a relative
        error of about ``sqrt(2 / projections)``.

        >>> found = palmette.Graph.generate("grid:3x3").edge_resistances()
        >>> len(found.resistance), round(float(found.centrality.sum()), 9)
        (12, 8.0)
        """
        count = maybe_whole(projections, "projections", 1, 1_000_000)
        options = solve_options(
            _palmette.DEFAULT_PRECONDITIONER, tolerance, None, seed, memory, threads
        )
        ends, weights, values, error = self._core.edge_resistances(count, options)
        return EdgeResistances(ends.reshape(-1, 2), values, weights * values, error)

    def minimum_cut(
        self, *, seed: int = _palmette.DEFAULT_SEED, threads: int | None = None
    ) -> MinimumCut:
        """The least weight of edges whose removal separates the graph; exact.

        ``seed`` decides which of several is found. Conductances to ground are not cut.

        >>> ring = palmette.Graph.from_scipy(np.roll(np.eye(5), 1, 0) + np.roll(np.eye(5), -1, 0))
        >>> cut = ring.minimum_cut()
        >>> cut.value, len(cut.edges), len(ring.minimum_cuts())
        (2.0, 2, 10)
        """
        found = self._core.minimum_cut(whole(seed, "seed"), threads_of(threads))
        value, side, ends, weights, error, trees = found
        return MinimumCut(value, side, ends.reshape(-1, 2), weights, error, trees)

    def minimum_cuts(self, limit: int | None = None, *, threads: int | None = None) -> list[Integers]:
        """All minimum cuts: of each the vertices of the smaller side.

        More than ``limit`` (by default 100,000) are a ``ValueError``.
        """
        most = maybe_whole(limit, "limit", 0, 2**32 - 1)
        return self._core.minimum_cuts(most, threads_of(threads))

    def separate(self, u: ArrayLike, v: ArrayLike, *, threads: int | None = None) -> Any:
        """The least weight of edges whose removal separates ``u`` and ``v``: one maximum flow per
        pair. Arrays broadcast.

        >>> palmette.Graph.generate("grid:4x4").separate(0, [5, 15]).tolist()
        [2.0, 2.0]
        """
        first, second = np.broadcast_arrays(indices(u, "u"), indices(v, "v"))
        flat = [np.ascontiguousarray(x).reshape(-1) for x in (first, second)]
        found = self._core.separate(flat[0], flat[1], threads_of(threads))
        return found.reshape(first.shape) if first.shape else float(found[0])

    def gomory_hu(self) -> tuple[Integers, Floats]:
        """What separates all pairs, as a tree: by vertex its parent (-1 for vertex 0), and the least
        weight that separates the two.

        What separates two vertices is the least value between them in the tree.
        """
        return self._core.gomory_hu()


def solve_sdd(
    matrix: Any,
    b: ArrayLike,
    *,
    tolerance: float = _palmette.DEFAULT_TOLERANCE,
    preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
    max_iterations: int | None = None,
    seed: int = _palmette.DEFAULT_SEED,
    memory: int | None = None,
    work: int | None = None,
    stop: str | None = None,
    threads: int | None = None,
) -> tuple[Floats, SolveInfo]:
    """Solves ``matrix @ x = b`` for a symmetric, diagonally dominant matrix, sparse or dense.

    Entries off the diagonal may have either sign. Positive ones are handled by the double cover: a
    Laplacian of twice the size, whose residual is that of the matrix. Each column of ``b`` is a
    right-hand side. A matrix that is not symmetric or not dominant is a ``ValueError`` that names the
    row.

    >>> import numpy as np
    >>> matrix = np.array([[3.0, 1, 0], [1, 3, -2], [0, -2, 2.5]])
    >>> x, info = palmette.solve_sdd(matrix, [1.0, 0, 2], tolerance=1e-12)
    >>> bool(np.allclose(matrix @ x, [1, 0, 2]))
    True
    """
    graph = Graph.from_scipy(matrix, form="signed", threads=threads)
    given = floats(b, "b")
    signed = graph.form == "signed"
    rows = len(graph) // 2 if signed else len(graph)
    if given.ndim not in (1, 2) or given.shape[0] != rows:
        raise ValueError(f"b: expected {rows} rows, found shape {given.shape}")
    x, info = graph.solve(
        np.concatenate([given, -given]) if signed else given,
        tolerance=tolerance,
        preconditioner=preconditioner,
        max_iterations=max_iterations,
        seed=seed,
        memory=memory,
        work=work,
        stop=stop,
        threads=threads,
    )
    return ((x[:rows] - x[rows:]) / 2 if signed else x), info


__all__ = ["EdgeResistances", "FocalCurrents", "Graph", "MinimumCut", "SolveInfo", "Solver", "Sparsifier", "solve_sdd"]
