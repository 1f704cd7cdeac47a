"""Feeders and their power flow."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, need, threads_of
from palmette.picture import Picture

#: A table: columns of texts, columns of numbers.
Columns = tuple[list[tuple[str, list[str]]], list[tuple[str, Floats]]]


def _dict(columns: Columns) -> dict[str, Any]:
    texts, numbers = columns
    return {**dict(texts), **dict(numbers)}


def _frame(table: Mapping[str, Any]) -> Any:
    pandas = need("pandas", "a table")
    return pandas.DataFrame(dict(table))


@dataclass(frozen=True, repr=False)
class Flow:
    """A power flow: voltages, flows, losses.

    Tables are dicts of columns; ``buses_to_pandas()`` and its like make data frames of them.
    """

    #: ``bus`` (of three phases also ``phase``), ``vm_pu``, ``va_deg``, ``v_kv``.
    buses: dict[str, Any]
    #: By branch: ``p_from_mw``, ``i_from_a`` … ``loss_mw``, ``loading_percent``; power flows into the branch.
    branches: dict[str, Any]
    #: ``bus``, ``p_mw``, ``q_mvar``: what sources and generators give.
    sources: dict[str, Any]
    #: The figures that ``palmette power flow --json`` has.
    info: dict[str, Any]
    _profile: str = field(default="")
    _one_line: str = field(default="")

    @property
    def names(self) -> list[str]:
        """The bus of each row of :attr:`buses`."""
        names: list[str] = self.buses["bus"]
        return names

    @property
    def voltages(self) -> np.ndarray[Any, np.dtype[np.complex128]]:
        """Complex voltages per unit, in the order of :attr:`buses`."""
        turned: np.ndarray[Any, np.dtype[np.complex128]] = np.exp(1j * np.deg2rad(self.buses["va_deg"]))
        turned *= self.buses["vm_pu"]
        return turned

    @property
    def losses_mw(self) -> float:
        """What branches take, in MW."""
        return float(self.info["losses"])

    def buses_to_pandas(self) -> Any:
        """Voltages as a data frame."""
        return _frame(self.buses)

    def branches_to_pandas(self) -> Any:
        """Flows of branches as a data frame."""
        return _frame(self.branches)

    def sources_to_pandas(self) -> Any:
        """What sources give, as a data frame."""
        return _frame(self.sources)

    def profile(self) -> Picture:
        """Voltages against the distance from the source, by phase."""
        return Picture("voltages along the feeder", self._profile)

    def one_line(self) -> Picture:
        """The feeder as one line, coloured by voltage."""
        return Picture("one-line diagram", self._one_line)

    def __repr__(self) -> str:
        low, bus = self.info["min_voltage"], self.info["min_voltage_bus"]
        return f"<Flow: lowest {low:.4f} p.u. at bus {bus}, losses {self.losses_mw * 1e3:.6g} kW>"


@dataclass(frozen=True, repr=False)
class FlowCases:
    """Many power flows, of load cases or of outages."""

    #: By case: ``converged`` (yes or no), ``min_voltage``, ``losses_mw``, ``max_loading_percent`` …
    cases: dict[str, Any]
    #: Magnitudes per unit, a row per case and a column per bus (and phase); NaN where a case did not
    #: converge. Empty for outages.
    voltages: Floats
    #: What the columns of :attr:`voltages` are: buses, of three phases with the phase (``671.a``).
    columns: list[str]
    #: The figures that ``palmette power flow --json`` has.
    info: dict[str, Any]

    @property
    def converged(self) -> np.ndarray[Any, np.dtype[np.bool_]]:
        """Which cases have a power flow."""
        return np.array([word == "yes" for word in self.cases["converged"]])

    def to_pandas(self) -> Any:
        """The cases as a data frame."""
        return _frame(self.cases)

    def voltages_to_pandas(self) -> Any:
        """Magnitudes by case and bus, as a data frame."""
        pandas = need("pandas", "a table")
        return pandas.DataFrame(self.voltages, columns=self.columns)

    def __len__(self) -> int:
        return len(self.cases["converged"])

    def __repr__(self) -> str:
        return f"<FlowCases: {int(self.converged.sum())} of {len(self)} converged>"


class Feeder:
    """A network for power flow, of one phase (balanced) or of three.

    Made by :func:`palmette.power.read`, :meth:`generate` and :func:`palmette.power.from_pandapower`.

    >>> feeder = palmette.power.Feeder.generate("feeder:50", seed=1)
    >>> feeder
    <Feeder of 50 buses, balanced>
    >>> round(feeder.flow().info["min_voltage"], 4)
    0.93
    """

    def __init__(self, of: _palmette.Feeder) -> None:
        self._of = of

    @classmethod
    def generate(
        cls, shape: str, *, seed: int = _palmette.DEFAULT_SEED, threads: int | None = None
    ) -> Feeder:
        """A built-in shape: ``feeder:BUSES``, or ``feeder3:BUSES`` with three phases."""
        return cls(_palmette.Feeder.generate(shape, seed, threads_of(threads)))

    @property
    def name(self) -> str:
        """The file that it comes from."""
        return self._of.name

    @property
    def phases(self) -> int:
        """1 for a balanced feeder, 3 for one whose phases differ."""
        return self._of.phases

    @property
    def notes(self) -> list[str]:
        """What a user of the tool that the file is from should know."""
        return self._of.notes

    @property
    def buses(self) -> list[str]:
        """Names of buses."""
        return self._of.buses

    @property
    def load_names(self) -> list[str]:
        """Names of loads, in the order of the columns of ``loads``."""
        return self._of.load_names

    @property
    def loads(self) -> np.ndarray[Any, np.dtype[np.complex128]]:
        """What loads consume at nominal voltage, in MVA: ``p + 1j * q``."""
        active, reactive = self._of.load_powers()
        return active + 1j * reactive

    @property
    def info(self) -> dict[str, Any]:
        """What the file holds: the figures of ``palmette power info --json``."""
        return dict(json.loads(self._of.info())["result"])

    def _options(self, options: Mapping[str, Any]) -> dict[str, Any]:
        return {**options, "threads": threads_of(options["threads"])}

    def flow(
        self,
        loads: ArrayLike | None = None,
        *,
        tolerance: float = _palmette.DEFAULT_FLOW_TOLERANCE,
        max_sweeps: int = _palmette.DEFAULT_FLOW_SWEEPS,
        load_factor: float = 1.0,
        allow_unsupplied: bool = False,
        max_loading: bool = False,
        threads: int | None = None,
    ) -> Any:
        """The power flow; with ``loads``, that of many cases.

        ``loads`` has a row per case and a column per load: complex numbers are powers in MVA, real ones are
        factors of :attr:`loads`. Returns a :class:`Flow`, or :class:`FlowCases`, in which a case without a
        power flow has ``converged`` no. ``max_loading`` adds the largest factor of all loads that the feeder
        carries (``info["max_load_factor"]``; None where there is no limit).
        """
        options = self._options(
            {
                "tolerance": float(tolerance),
                "max_sweeps": int(max_sweeps),
                "load_factor": float(load_factor),
                "allow_unsupplied": bool(allow_unsupplied),
                "max_loading": bool(max_loading),
                "threads": threads,
            }
        )
        if loads is None:
            buses, branches, sources, record, profile, one_line = self._of.flow(options)
            info = json.loads(record)["result"]
            return Flow(_dict(buses), _dict(branches), _dict(sources), info, profile, one_line)
        powers = np.asarray(loads)
        nominal = self.loads
        if powers.ndim == 1:
            powers = powers[None, :]
        if powers.ndim != 2 or powers.shape[1] != len(nominal):
            raise ValueError(f"loads: expected shape (cases, {len(nominal)}), found {powers.shape}")
        if not np.iscomplexobj(powers):
            powers = powers * nominal[None, :]
        active = np.ascontiguousarray(powers.real, dtype=np.float64).ravel()
        reactive = np.ascontiguousarray(powers.imag, dtype=np.float64).ravel()
        table, voltages, record = self._of.flow_cases(active, reactive, options)
        columns = self._of.voltage_columns
        info = json.loads(record)["result"]
        return FlowCases(_dict(table), voltages.reshape(len(powers), len(columns)), columns, info)

    def outages(
        self,
        *,
        tolerance: float = _palmette.DEFAULT_FLOW_TOLERANCE,
        max_sweeps: int = _palmette.DEFAULT_FLOW_SWEEPS,
        threads: int | None = None,
    ) -> FlowCases:
        """The power flow after the loss of each branch in service, one at a time (N-1)."""
        options = self._options(
            {
                "tolerance": float(tolerance),
                "max_sweeps": int(max_sweeps),
                "load_factor": 1.0,
                "allow_unsupplied": True,
                "max_loading": False,
                "threads": threads,
            }
        )
        table, record = self._of.outages(options)
        return FlowCases(_dict(table), np.empty((0, 0)), [], json.loads(record)["result"])

    def __len__(self) -> int:
        return len(self._of)

    def __repr__(self) -> str:
        kind = "balanced" if self.phases == 1 else "three phases"
        return f"<Feeder of {len(self)} buses, {kind}>"


def read_feeder(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    q_limits: bool = False,
    threads: int | None = None,
) -> Feeder:
    """Reads a feeder: a folder of tables, JSON of power-grid-model or pandapower, a MATPOWER case, an OpenDSS
    script."""
    of = _palmette.Feeder.read(os.fspath(path), format, q_limits, threads_of(threads))
    return Feeder(of)


def from_pandapower(net: Any, *, q_limits: bool = False) -> Feeder:
    """A pandapower network as a feeder; nothing is written to disk.

    Generators keep to their limits of reactive power with ``q_limits``. Elements that are not read (such as
    transformers of three windings) are an error that names them.
    """
    pandapower = need("pandapower", "a network")
    text = pandapower.to_json(net)
    name = str(getattr(net, "name", "") or "pandapower network")
    return Feeder(_palmette.Feeder.from_text(name, text, "pandapower", q_limits))


#: Extensions of feeders.
ENDINGS = (".json", ".m", ".dss")


def is_feeder(path: str | os.PathLike[str]) -> bool:
    """Whether a path is that of a feeder: a folder, or a file with one of its extensions."""
    name = os.fspath(path).lower()
    for packed in (".gz", ".zst", ".zstd"):
        name = name.removesuffix(packed)
    return os.path.isdir(path) or name.endswith(ENDINGS)
