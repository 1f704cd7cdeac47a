"""Meshes: parts, and parts on machines."""

from __future__ import annotations

import html
import json
import os
from collections.abc import Callable, Sequence
from collections.abc import Mapping as Mapping_
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, Integers, floats, indices, maybe_whole, threads_of, whole
from palmette.graph import Graph

#: Types of cells by dimension, as meshio names them.
_SOLID = ("tetra", "hexahedron", "wedge", "pyramid")
_PLANE = ("triangle", "quad")
_LOWER = ("line", "vertex")


class Partition:
    """Parts of the nodes or elements of a mesh, with figures."""

    def __init__(
        self, mesh: Mesh, parts: Integers, figures: dict[str, Any], elements: bool
    ) -> None:
        #: By node or element, its part.
        self.parts = parts
        #: What the parts are worth: ``cut``, ``imbalance``, ``smallest_part`` and so on.
        self.figures = figures
        self._mesh = mesh
        self._elements = elements

    @property
    def cut(self) -> float:
        """The number of edges between parts."""
        return self.figures["cut"]  # type: ignore[no-any-return]

    @property
    def imbalance(self) -> float:
        """How much heavier the heaviest part is than the mean."""
        return self.figures["imbalance"]  # type: ignore[no-any-return]

    def svg(self) -> str:
        """A picture of the parts."""
        return self._mesh._core.svg(self.parts, self._elements, len(self))

    def __len__(self) -> int:
        return int(self.figures["parts"])

    def __repr__(self) -> str:
        return f"<Partition into {len(self)} parts, cut {self.cut}, imbalance {self.imbalance:.3g}>"

    def _repr_html_(self) -> str:
        return _html(self._mesh, self, self.svg)


class Mapping:
    """A mesh on a machine: parts, their processors, and the loads of links."""

    def __init__(self, core: _palmette.Mapping, mesh: Mesh) -> None:
        self._core = core
        self._mesh = mesh

    @cached_property
    def parts(self) -> Integers:
        """By node, its part."""
        return self._core.parts()

    @cached_property
    def processors(self) -> Integers:
        """By part, its processor."""
        return self._core.processors()

    @cached_property
    def figures(self) -> dict[str, Any]:
        """All figures, under the names that ``palmette mesh map --json`` gives them."""
        return {"machine": self._core.machine, **json.loads(self._core.figures())}

    @property
    def machine(self) -> str:
        """The machine."""
        return self._core.machine

    @property
    def cut(self) -> float:
        """The number of edges between parts."""
        return self.figures["cut"]  # type: ignore[no-any-return]

    @property
    def hopsum(self) -> int:
        """The sum over all messages of values times hops."""
        return int(self.figures["hopsum"])

    @property
    def max_link_load(self) -> int | None:
        """The largest number of values over a link; None on a fat tree."""
        return self.figures.get("max_link_load")

    @property
    def phases(self) -> int | None:
        """How many phases the messages take; None on a fat tree."""
        return self.figures.get("phases")

    @cached_property
    def messages(self) -> Integers:
        """What parts send: rows of from, to, values."""
        return self._core.messages().reshape(-1, 3)

    @cached_property
    def message_phases(self) -> Integers | None:
        """By message, its phase; None on a fat tree."""
        return self._core.phases()

    @cached_property
    def loads(self) -> Integers | None:
        """Links: rows of from, to, values; None on a fat tree or hierarchy. Ends are processors, or
        nodes and switches.
        """
        found = self._core.loads()
        return None if found is None else found.reshape(-1, 3)

    @property
    def max_link_load_at_least(self) -> float | None:
        """A lower bound on the largest load of a link for any routes, even split ones (where
        capacities differ, on the load over the capacity); None on a fat tree or hierarchy.
        """
        return self.figures.get("max_link_load_at_least")

    @cached_property
    def names(self) -> list[str] | None:
        """By point of the network (hosts, then switches), its name; None where it has none."""
        return self._core.names()

    def ranks(self, format: str = _palmette.DEFAULT_RANK_FORMAT) -> str:
        """What tells a launcher where ranks go, rank i being part i: ``rankfile`` (Open MPI),
        ``slurm`` (for ``SLURM_HOSTFILE`` and ``srun --distribution=arbitrary``) or ``mpich``
        (for ``mpiexec -f``).
        """
        return self._core.ranks(format)

    def header(self) -> str:
        """A C header whose function makes a communicator of the parts with their partners, by
        ``MPI_Dist_graph_create_adjacent``.
        """
        return self._core.header()

    @cached_property
    def coordinates(self) -> Integers | None:
        """By processor, its coordinates on the machine; None where it has none."""
        found = self._core.coordinates()
        return None if found is None else found.reshape(-1, 3)

    @cached_property
    def routes(self) -> dict[str, Any]:
        """Routes as ``palmette mesh map -o`` writes them."""
        return json.loads(self._core.routes())  # type: ignore[no-any-return]

    def svg(self) -> str | None:
        """The parts on the machine with the link loads; None if that cannot be drawn."""
        return self._core.svg()

    def partition_svg(self) -> str:
        """The parts on the mesh."""
        return self._mesh._core.svg(self.parts, False, len(self.processors))

    def __repr__(self) -> str:
        return f"<Mapping on {self.machine}: cut {self.cut}, hopsum {self.hopsum}>"

    def _repr_html_(self) -> str:
        located = len(self._mesh.points) > 0
        pictures = [self.partition_svg() if located else None, self.svg()]
        return "".join(_palmette.picture_html(repr(self), svg) for svg in pictures if svg)


class Mesh:
    """A mesh of triangles, quadrilaterals, tetrahedra, hexahedra, prisms or pyramids; or a graph,
    with points or without.

    Meshes are made by :meth:`read`, :meth:`generate`, :meth:`from_meshio`, :meth:`from_graph` and
    :meth:`from_scipy`.

    >>> mesh = palmette.Mesh.generate("triangles:10x10")
    >>> mesh
    <Mesh of 121 nodes, 200 elements>
    >>> mesh.partition(4).figures["largest_part"]
    31
    """

    def __init__(self, core: _palmette.Mesh) -> None:
        if not isinstance(core, _palmette.Mesh):
            raise TypeError("use Mesh.read, Mesh.generate, Mesh.from_meshio or Mesh.from_graph")
        self._core = core

    @classmethod
    def from_meshio(cls, mesh: Any, *, threads: int | None = None) -> Mesh:
        """A mesh from one of meshio. Cells of the highest dimension count; lines and vertices,
        and triangles and quadrilaterals beside solid cells, are left out.
        """
        if not hasattr(mesh, "points") or not hasattr(mesh, "cells"):
            raise TypeError(f"expected a mesh of meshio, found {type(mesh).__name__}")
        blocks = [(str(block.type), block.data) for block in mesh.cells]
        known = (*_SOLID, *_PLANE, *_LOWER)
        for name, _ in blocks:
            if name not in known:
                raise ValueError(f"expected cells of type {', '.join(known)}, found `{name}`")
        solid = any(name in _SOLID for name, _ in blocks)
        kept = _SOLID if solid else _PLANE
        cells = [block for block in blocks if block[0] in kept]
        return cls.from_cells(mesh.points, cells, threads=threads)

    @classmethod
    def from_cells(
        cls, points: ArrayLike, cells: list[tuple[str, ArrayLike]], *, threads: int | None = None
    ) -> Mesh:
        """A mesh from points, of shape (n, 2) or (n, 3), and blocks of cells of one type, named
        as meshio does.

        >>> square = [[0, 0], [1, 0], [1, 1], [0, 1]]
        >>> palmette.Mesh.from_cells(square, [("triangle", [[0, 1, 2], [0, 2, 3]])])
        <Mesh of 4 nodes, 2 elements>
        """
        padded = _padded(points)
        blocks = []
        for name, nodes in cells:
            flat = indices(nodes, f"cells '{name}'")
            if flat.ndim != 2:
                raise ValueError(f"cells '{name}': expected two dimensions, found {flat.shape}")
            blocks.append((str(name), flat.reshape(-1)))
        return cls(_palmette.Mesh.from_cells("mesh", padded.reshape(-1), blocks, threads_of(threads)))

    @classmethod
    def from_graph(cls, graph: Graph, points: ArrayLike | None = None) -> Mesh:
        """What a graph connects, to be cut into parts; with points, of shape (n, 2) or (n, 3), it
        can be drawn too.

        >>> len(palmette.Mesh.from_graph(palmette.Graph.generate("grid:20x20")).partition(4))
        4
        """
        if not isinstance(graph, Graph):
            raise TypeError(f"expected a Graph, found {type(graph).__name__}")
        padded = np.zeros((0, 3)) if points is None else _padded(points)
        return cls(_palmette.Mesh.from_graph(graph._core, padded.reshape(-1)))

    @classmethod
    def from_scipy(
        cls, matrix: Any, points: ArrayLike | None = None, *, form: str = "auto",
        threads: int | None = None,
    ) -> Mesh:
        """What the entries of a symmetric sparse matrix of scipy connect; as
        :meth:`Graph.from_scipy` and :meth:`from_graph`.
        """
        return cls.from_graph(Graph.from_scipy(matrix, form=form, threads=threads), points)

    @classmethod
    def generate(cls, shape: str, *, seed: int = _palmette.DEFAULT_SEED, threads: int | None = None) -> Mesh:
        """A built-in shape: ``crack-plate``, ``crack-plate:5000``, ``penny-crack``,
        ``grid:30x20``, ``triangles:30x20``, ``box:9x9x9``, ``tetrahedra:9x9x9``,
        ``delaunay:1000``.
        """
        return cls(_palmette.Mesh.generate(shape, whole(seed, "seed"), threads_of(threads)))

    @classmethod
    def read(
        cls,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        xyz: str | os.PathLike[str] | None = None,
        merge: bool = False,
        threads: int | None = None,
        coincident: None = None,
    ) -> Mesh:
        """A mesh from a file: Gmsh, METIS, Medit or SU2; or a graph (METIS, Matrix
        Market), which needs no points. ``xyz`` is a file of points.

        Nodes may lie at the same place, as on the two faces of a crack; ``merge`` joins them.
        (``coincident`` is an old option that is no longer needed.)
        """
        if coincident is not None:
            raise TypeError("coincident is gone: nodes may coincide; merge=True joins them")
        points = None if xyz is None else os.fspath(xyz)
        return cls(_palmette.Mesh.read(os.fspath(path), format, points, merge, threads_of(threads)))

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Mesh of {len(self)} nodes, {self.element_count} elements>"

    @property
    def element_count(self) -> int:
        """The number of elements."""
        return self._core.element_count

    @property
    def dimension(self) -> int:
        """The dimension of elements: 2 or 3; 0 for a graph."""
        return self._core.dimension

    def coincident(self) -> int:
        """How many nodes coincide with an earlier one, as on the faces of a crack."""
        return self._core.coincident()

    @cached_property
    def points(self) -> Floats:
        """By node, three coordinates."""
        return self._core.points().reshape(-1, 3)

    @cached_property
    def elements(self) -> list[Integers]:
        """By element, its nodes."""
        offsets, nodes = self._core.elements()
        return np.split(nodes, offsets[1:-1]) if len(offsets) > 1 else []

    def _cut(
        self,
        parts: int,
        preset: str,
        bisection: str,
        refine: bool,
        imbalance: float,
        cycles: int | None,
        tries: int | None,
        sample: int | None,
        contiguous: bool,
        seed: int,
    ) -> dict[str, Any]:
        return {
            "parts": whole(parts, "parts", 0, 2**32 - 1),
            "preset": preset,
            "bisection": bisection,
            "refine": refine,
            "imbalance": float(imbalance),
            "cycles": maybe_whole(cycles, "cycles"),
            "tries": maybe_whole(tries, "tries"),
            "sample": maybe_whole(sample, "sample"),
            "contiguous": contiguous,
            "seed": whole(seed, "seed"),
        }

    def partition(
        self,
        k: int | None = None,
        bisection: str = _palmette.DEFAULT_BISECTION,
        *,
        preset: str = _palmette.DEFAULT_PRESET,
        elements: bool = False,
        weights: ArrayLike | None = None,
        sizes: Sequence[float] | None = None,
        fixed: Mapping_[int, int] | ArrayLike | None = None,
        objective: str | None = None,
        previous: ArrayLike | None = None,
        migration: float = _palmette.DEFAULT_MIGRATION,
        ignore_edge_weights: bool = False,
        refine: bool = True,
        imbalance: float = _palmette.DEFAULT_IMBALANCE,
        cycles: int | None = None,
        tries: int | None = None,
        sample: int | None = None,
        contiguous: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> Partition:
        """Cuts the nodes, or the elements, into ``k`` parts of about the same weight.

        ``preset`` is ``fast``, ``default`` or ``strong``: less time or a smaller cut.
        ``bisection`` is ``auto``, ``growing`` (which need no points), ``geometric``,
        ``coordinate``, ``inertial`` or ``hilbert``.

        ``weights`` has a weight per node, or several in rows of shape (n, c): parts are balanced by
        each. ``sizes`` are shares of the parts (``[1, 1, 2]``, or fractions that add up to 1).
        ``fixed`` says which nodes stay in which part: a dict, or an array of parts with -1
        for the others. ``contiguous`` makes every part connected, or fails. ``objective`` is
        ``cut``, ``volume`` (values sent; of elements, copies) or ``bottleneck`` (most values that
        one part sends). ``previous`` has the part of each node now, -1 for none: most stay
        where they are, as moving a unit of weight costs ``migration`` units of the cut.
        ``ignore_edge_weights`` counts edges.

        >>> found = palmette.Mesh.generate("triangles:20x20").partition(sizes=[1, 3], fixed={0: 1})
        >>> int(found.parts[0]), found.figures["over_limit"]
        (1, 0)
        """
        before = None if previous is None else _one_dimension(previous, "previous")
        if k is None and sizes is not None:
            k = len(sizes)
        elif k is None and before is not None:
            k = int(before.max(initial=-1)) + 1
        elif k is None:
            raise TypeError("partition() needs k, sizes or previous")
        options = self._cut(
            k, preset, bisection, refine, imbalance, cycles, tries, sample, contiguous, seed
        )
        demands = _demands(weights, sizes, ignore_edge_weights)
        count = self.element_count if elements else len(self)
        demands |= {
            "fixed": None if fixed is None else _fixed(fixed, count),
            "objective": objective,
            "previous": before,
            "migration": float(migration),
        }
        parts, figures = self._core.partition(options, elements, demands, threads_of(threads))
        return Partition(self, parts, json.loads(figures), elements)

    def order(
        self,
        method: str = _palmette.DEFAULT_ORDER_METHOD,
        *,
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> tuple[Integers, dict[str, Any]]:
        """An order of the nodes in which a sparse Cholesky factor fills in little, and its figures.

        ``method`` is ``nested-dissection``, ``minimum-degree`` or ``auto``: both, the one with fewer
        operations. The first node of the order is eliminated first; the figures have the ``entries`` of
        the factor, the ``operations`` to make it and the ``height`` of the elimination tree.

        >>> grid = palmette.Graph.generate("grid:20x20")
        >>> order, figures = palmette.Mesh.from_graph(grid).order()
        >>> sorted(order.tolist()) == list(range(400)), figures["entries"] < 5000
        (True, True)
        """
        order, figures = self._core.order(method, whole(seed, "seed"), threads_of(threads))
        return order, json.loads(figures)

    def map(
        self,
        machine: str,
        parts: int | None = None,
        *,
        distances: Sequence[int] | None = None,
        without: Sequence[int] = (),
        hosts: Mapping_[str, int] | Sequence[str] | None = None,
        placement: str = _palmette.DEFAULT_PLACEMENT,
        preset: str = _palmette.DEFAULT_PRESET,
        objective: str = _palmette.DEFAULT_MAP_OBJECTIVE,
        bisection: str = _palmette.DEFAULT_BISECTION,
        routing: str = _palmette.DEFAULT_ROUTING,
        channels: int | None = None,
        time_limit: float | None = None,
        weights: ArrayLike | None = None,
        sizes: Sequence[float] | None = None,
        ignore_edge_weights: bool = False,
        refine: bool = True,
        imbalance: float = _palmette.DEFAULT_IMBALANCE,
        cycles: int | None = None,
        tries: int | None = None,
        sample: int | None = None,
        contiguous: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> Mapping:
        """Cuts the mesh, places the parts on a machine, and routes what they exchange.

        ``machine`` is, for example, ``torus:8x8``, ``mesh:4x16``, ``torus:4x4x4``,
        ``fat-tree:4x4x4``, ``hierarchy:4x8x6`` with ``distances=[1, 10, 100]``,
        ``torus:8x8/2x8`` (nodes of two sockets with eight cores), ``dragonfly:9x4x2``, a graph
        (``FILE.graph``), ``slurm:topology.conf`` or ``hwloc:FILE.xml``. Processors in ``without``
        are dead. ``hosts``, names with slots, are those of the machine's processors in order, or
        the allocation on a machine whose hosts have names. ``placement`` is ``joint`` (cut and
        place together) or the method for finished parts: ``identity``, ``random``, ``halving``, ``cut-tree``, ``curve`` or
        ``search``. ``objective`` says what ``joint`` counts: ``values``, each once to every part
        that needs it, or ``cut``, edges. ``routing`` is ``dimension-ordered``, ``one-bend``,
        ``two-bend``, ``minimal``, ``adaptive`` or ``shortest``. ``channels`` limits the paths
        through a processor at a time (20 on grids by default). ``weights``, ``sizes`` and
        ``ignore_edge_weights`` as for :meth:`partition`.

        >>> mapping = palmette.Mesh.generate("triangles:20x20").map("torus:2x2")
        >>> len(mapping.processors), mapping.phases
        (4, 1)
        """
        options = {
            "machine": machine,
            "distances": None if distances is None else _numbers(distances, "distances", 1),
            "without": _numbers(without, "without", 0),
            "hosts": _hosts(hosts),
            "placement": placement,
            "objective": objective,
            "routing": routing,
            "channels": maybe_whole(channels, "channels", 0, 2**32 - 1),
            "time_limit": None if time_limit is None else float(time_limit),
            "parts": maybe_whole(parts, "parts", 1, 2**32 - 1),
        }
        how = self._cut(
            0, preset, bisection, refine, imbalance, cycles, tries, sample, contiguous, seed
        )
        demands = _demands(weights, sizes, ignore_edge_weights)
        return Mapping(self._core.map(options, how, demands, threads_of(threads)), self)

    def svg(self) -> str:
        """A picture."""
        return self._core.svg(None, False, 0)

    def _repr_html_(self) -> str:
        return _html(self, self, self.svg)


def _html(mesh: Mesh, shown: object, svg: Callable[[], str]) -> str:
    """A picture in a notebook; words where nobody knows where nodes lie."""
    if len(mesh.points):
        return _palmette.picture_html(repr(shown), svg())
    return f"<p>{html.escape(repr(shown))}</p>"


def _padded(points: ArrayLike) -> Floats:
    array = floats(points, "points")
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise ValueError(f"points: expected shape (n, 2) or (n, 3), found {array.shape}")
    padded = np.zeros((len(array), 3))
    padded[:, : array.shape[1]] = array
    return padded


def _numbers(numbers: Sequence[int], what: str, least: int) -> list[int]:
    return [whole(number, what, least, 2**32 - 1) for number in numbers]


def _hosts(hosts: Mapping_[str, int] | Sequence[str] | None) -> list[tuple[str, int]] | None:
    """Names with slots; names alone have one each."""
    if hosts is None:
        return None
    if isinstance(hosts, str):
        raise TypeError("hosts: expected names in a list or a dict, found a string")
    pairs = hosts.items() if isinstance(hosts, Mapping_) else ((name, 1) for name in hosts)
    return [(str(name), whole(slots, "hosts", 1, 2**32 - 1)) for name, slots in pairs]


def _demands(
    weights: ArrayLike | None, sizes: Sequence[float] | None, ignore_edge_weights: bool
) -> dict[str, Any]:
    """What parts keep to, as the extension module takes it; weights kind by kind."""
    array = None if weights is None else indices(weights, "weights")
    if array is not None and array.ndim not in (1, 2):
        raise ValueError(f"weights: expected one or two dimensions, found shape {array.shape}")
    if array is not None and array.ndim == 2 and array.shape[1] == 0:
        raise ValueError("weights: expected a column or more, found none")
    return {
        "sizes": [] if sizes is None else [float(size) for size in sizes],
        "weights": None if array is None else np.ascontiguousarray(array.T).reshape(-1),
        "kinds": 1 if array is None or array.ndim == 1 else array.shape[1],
        "fixed": None,
        "objective": None,
        "previous": None,
        "migration": _palmette.DEFAULT_MIGRATION,
        "ignore_edge_weights": bool(ignore_edge_weights),
    }


def _one_dimension(numbers: ArrayLike, what: str) -> Integers:
    array = indices(numbers, what)
    if array.ndim != 1:
        raise ValueError(f"{what}: expected one dimension, found shape {array.shape}")
    return array


def _fixed(fixed: Mapping_[int, int] | ArrayLike, count: int) -> Integers:
    """Nodes and their parts, one after another."""
    if isinstance(fixed, Mapping_):
        most = 2**32 - 1
        items = fixed.items()
        pairs = [(whole(v, "fixed", 0, most), whole(p, "fixed", 0, most)) for v, p in items]
        return np.array(pairs, dtype=np.int64).reshape(-1)
    array = _one_dimension(fixed, "fixed")
    if (array < -1).any():
        raise ValueError(f"fixed: expected parts from 0, or -1 for none, found {array.min()}")
    if len(array) != count:
        raise ValueError(f"fixed: expected {count} parts, found {len(array)}")
    nodes = np.flatnonzero(array >= 0)
    return np.stack([nodes, array[nodes]], axis=1).reshape(-1)
