"""Power networks: drops and transients of chips' grids, power flow of feeders.

>>> feeder = palmette.power.Feeder.generate("feeder:50", seed=1)
>>> feeder
<Feeder of 50 buses, balanced>
"""

from __future__ import annotations

import os

from palmette._feeder import Feeder, Flow, FlowCases, from_pandapower, is_feeder, read_feeder
from palmette._grid import Drop, Grid, Scenarios, Waveforms, read_grid

__all__ = [
    "Drop",
    "Feeder",
    "Flow",
    "FlowCases",
    "Grid",
    "Scenarios",
    "Waveforms",
    "from_pandapower",
    "read",
]


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    q_limits: bool = False,
    threads: int | None = None,
) -> Grid | Feeder:
    """Reads a network.

    A folder of tables, JSON of power-grid-model or pandapower, a MATPOWER case (``.m``) and an OpenDSS script
    (``.dss``) are a :class:`Feeder`; ``format`` says which where the name does not. With ``q_limits`` its
    generators keep to their limits of reactive power. Anything else is a SPICE netlist: a :class:`Grid`.
    """
    if format is not None or is_feeder(path):
        return read_feeder(path, format=format, q_limits=q_limits, threads=threads)
    return read_grid(path, threads=threads)
