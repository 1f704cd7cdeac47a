"""Chips' grids from netlists."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, Integers, floats, need, threads_of
from palmette.picture import Picture
from palmette.solver import solve_options

#: The relative residual of voltages: drops are small beside them.
TOLERANCE = 1e-10


def _table(index: list[str], name: str, columns: Mapping[str, Any]) -> Any:
    pandas = need("pandas", "a table")
    return pandas.DataFrame(dict(columns), index=pandas.Index(index, name=name))


@dataclass(frozen=True, repr=False)
class Drop:
    """The operating point of a grid."""

    #: Names of the nodes, and by node its voltage and its drop.
    nodes: list[str]
    voltages: Floats
    drops: Floats
    #: Names of the elements, and by element its current (first end to second) and its watts.
    elements: list[str]
    currents: Floats
    powers: Floats
    #: Names of the elements over the limit.
    over_limit: list[str]
    #: The figures that ``palmette power drop --json`` has.
    info: dict[str, Any]
    _svg: str | None = field(default=None)

    @property
    def worst(self) -> tuple[str, float]:
        """The node with the largest drop, and the drop."""
        return self.info["worst_node"], self.info["worst_drop"]

    def to_pandas(self) -> Any:
        """Voltages and drops by node."""
        return _table(self.nodes, "node", {"voltage": self.voltages, "drop": self.drops})

    def elements_to_pandas(self) -> Any:
        """Currents and powers by element."""
        return _table(self.elements, "element", {"current": self.currents, "power": self.powers})

    def picture(self) -> Picture:
        """The drops on the plane, where names of nodes or :meth:`Grid.with_places` give coordinates."""
        if self._svg is None:
            raise ValueError("nodes have no coordinates; name them n1_20_30 or use with_places")
        return Picture("drops", self._svg)

    def __repr__(self) -> str:
        node, drop = self.worst
        return f"<Drop of {len(self.nodes)} nodes: worst {drop:.6g} V at {node}>"


@dataclass(frozen=True, repr=False)
class Scenarios:
    """Many loads on one grid."""

    #: By node, its largest drop and the number of the case that has it.
    nodes: list[str]
    worst_drops: Floats
    worst_cases: Integers
    #: By case, the largest drop, the number of its node, and the watts that sources deliver.
    cases: list[str]
    drops: Floats
    at: Integers
    supplied: Floats
    info: dict[str, Any]

    def to_pandas(self) -> Any:
        """A row per case."""
        names = [self.nodes[node] for node in self.at]
        return _table(self.cases, "scenario", {"node": names, "supplied": self.supplied, "worst_drop": self.drops})

    def __repr__(self) -> str:
        return f"<Scenarios: {len(self.cases)} of {len(self.nodes)} nodes>"


@dataclass(frozen=True, repr=False)
class Waveforms:
    """A grid in time."""

    #: The printed times, the names of probes, and values: a row per time, a column per probe.
    times: Floats
    names: list[str]
    values: Floats
    #: By node, its largest drop over all steps.
    nodes: list[str]
    worst_drops: Floats
    info: dict[str, Any]
    _svg: str | None = field(default=None)

    def __getitem__(self, name: str) -> Floats:
        """The waveform of a probe, such as ``v(n1_3_3)``."""
        if name not in self.names:
            raise KeyError(f"{name} is no probe; there are {', '.join(self.names) or 'none'}")
        return self.values[:, self.names.index(name)]

    def to_pandas(self) -> Any:
        """A row per time."""
        pandas = need("pandas", "a table")
        return pandas.DataFrame(self.values, index=pandas.Index(self.times, name="time"), columns=self.names)

    def picture(self) -> Picture:
        """The waveforms, from their values at the start."""
        if self._svg is None:
            raise ValueError("there are no waveforms; give nodes or elements")
        return Picture("waveforms", self._svg)

    def __repr__(self) -> str:
        return f"<Waveforms: {len(self.names)} probes at {len(self.times)} times>"


class Grid:
    """A chip's grid from a SPICE netlist; :func:`palmette.power.read` makes it.

    >>> import pathlib, tempfile
    >>> path = pathlib.Path(tempfile.mkdtemp(), "grid.spice")
    >>> _ = path.write_text("* grid\\nv1 pad 0 1.8\\nr1 pad a 2\\nr2 a b 1\\ni1 b 0 0.1\\n")
    >>> grid = palmette.power.read(path)
    >>> drop = grid.drop()
    >>> dict(zip(drop.nodes, drop.voltages.round(9).tolist()))
    {'pad': 1.8, '0': 0.0, 'a': 1.6, 'b': 1.5}
    >>> node, most = grid.drop(set={"r1": 1.0}).worst
    >>> node, round(most, 9)
    ('b', 0.2)
    """

    def __init__(self, core: _palmette.Grid) -> None:
        self._core = core
        self._nodes = core.nodes()

    @property
    def nodes(self) -> list[str]:
        """The names of the nodes."""
        return self._nodes

    @property
    def elements(self) -> list[str]:
        """The names of the elements; those of subcircuits after their instance and a dot."""
        return self._core.elements()

    @property
    def notes(self) -> list[str]:
        """What the reader left out, in words."""
        return self._core.notes()

    @property
    def nets(self) -> tuple[Integers, Floats]:
        """By node the number of its net from 1 (0 is ground), and by net what its pads hold."""
        return self._core.nets()

    @property
    def info(self) -> dict[str, Any]:
        """What the netlist holds."""
        return dict(json.loads(self._core.info())["result"])

    def with_places(
        self, nodes: Sequence[str], x: ArrayLike, y: ArrayLike, layers: ArrayLike | None = None
    ) -> Grid:
        """The same grid with coordinates of nodes, for pictures; ``layers`` are whole numbers."""
        layer = None if layers is None else floats(layers, "layers")
        return Grid(self._core.with_places(list(nodes), floats(x, "x"), floats(y, "y"), layer))

    def drop(
        self,
        *,
        limit: float | None = None,
        limits: Mapping[str, float] | None = None,
        add: Iterable[tuple[str, str, float]] = (),
        set: Mapping[str, float] | None = None,  # noqa: A002
        remove_pads: Iterable[str] = (),
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        tolerance: float = TOLERANCE,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Drop:
        """Voltages, drops, currents and powers at the operating point.

        ``add`` has resistors (node, node, ohms), ``set`` other resistances by name, ``remove_pads``
        voltage sources to take away: those changes are updates of the solver. Elements that carry
        more than ``limit`` amperes are listed; ``limits`` has other limits by element.
        """
        options = solve_options(preconditioner, tolerance, None, seed, memory, threads)
        wires = [(str(a), str(b), float(ohms)) for a, b, ohms in add]
        values = [(str(name), float(ohms)) for name, ohms in (set or {}).items()]
        own = None
        if limits is not None:
            own = [(str(name), float(amperes)) for name, amperes in limits.items()]
        pads = [str(pad) for pad in remove_pads]
        found = self._core.drop(options, limit, own, wires, values, pads)
        voltages, drops, elements, currents, powers, over, text, svg = found
        names = [elements[k] for k in over]
        info = json.loads(text)["result"]
        return Drop(self._nodes, voltages, drops, elements, currents, powers, names, info, svg)

    def scenarios(
        self,
        table: Any,
        values: str = "scale",
        *,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        tolerance: float = TOLERANCE,
        seed: int = _palmette.DEFAULT_SEED,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Scenarios:
        """Many loads against one factor: a row per case, a column per current source.

        ``table`` is a DataFrame, or a mapping from names of current sources to arrays; ``"*"`` stands
        for all others, NaN for the netlist's own. ``values`` says whether numbers are a ``scale``
        or a ``current`` in amperes.
        """
        frame = hasattr(table, "columns") and hasattr(table, "index")
        columns = [str(name) for name in (table.columns if frame else table)]
        arrays = [floats(np.asarray(table[name]), str(name)) for name in (table.columns if frame else table)]
        if not arrays:
            raise ValueError("table: expected at least one column")
        count = len(arrays[0])
        names = [str(name) for name in table.index] if frame else [str(k) for k in range(count)]
        if any(array.shape != (count,) for array in arrays):
            raise ValueError("table: expected columns of one length")
        numbers = np.ascontiguousarray(np.stack(arrays, axis=1).reshape(-1))
        options = solve_options(preconditioner, tolerance, None, seed, memory, threads)
        found = self._core.scenarios(options, names, columns, numbers, values)
        worst, cases, drops, at, supplied, text = found
        info = json.loads(text)["result"]
        return Scenarios(self._nodes, worst, cases, names, drops, at, supplied, info)

    def transient(
        self,
        *,
        step: float | None = None,
        stop: float | None = None,
        nodes: Iterable[str] = (),
        elements: Iterable[str] = (),
        method: str = "trapezoidal",
        accuracy: float | None = None,
        preconditioner: str = _palmette.DEFAULT_PRECONDITIONER,
        memory: int | None = None,
        threads: int | None = None,
    ) -> Waveforms:
        """Waveforms of nodes and elements, by default those of ``.print tran``.

        ``step`` and ``stop`` are those of ``.tran`` where not given; a shorter ``step`` prints as
        often. ``method`` is ``trapezoidal`` or ``backward-euler``; ``accuracy`` in volts controls steps.
        """
        options = {
            "step": step,
            "stop": stop,
            "method": method,
            "accuracy": accuracy,
            "preconditioner": preconditioner,
            "memory": memory,
            "threads": threads_of(threads),
        }
        found = self._core.transient(options, list(nodes), list(elements))
        times, names, values, worst, text, svg = found
        table = values.reshape(len(names), len(times)).T
        info = json.loads(text)["result"]
        return Waveforms(times, names, table, self._nodes, worst, info, svg)

    def __repr__(self) -> str:
        return f"<Grid of {len(self._nodes)} nodes>"


def read_grid(path: str | os.PathLike[str], *, threads: int | None = None) -> Grid:
    """Reads a netlist, and the files that it includes."""
    return Grid(_palmette.Grid.read(os.fspath(path), threads_of(threads)))
