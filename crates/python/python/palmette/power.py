"""Power networks: drops and transients of chips' grids, power flow of feeders.

>>> feeder = palmette.power.Feeder.generate("feeder:50", seed=1)
>>> feeder.flow()
<Flow: lowest 0.9300 p.u. at bus 46, losses 1 kW>
"""

from __future__ import annotations

import os

from palmette._feeder import Feeder, Flow, FlowCases, from_pandapower, read_feeder

__all__ = ["Feeder", "Flow", "FlowCases", "from_pandapower", "read"]


def read(
    path: str | os.PathLike[str],
    *,
    format: str | None = None,
    q_limits: bool = False,
    threads: int | None = None,
) -> Feeder:
    """Reads a network: a feeder (a folder of tables, JSON of power-grid-model or pandapower, a MATPOWER case, an
    OpenDSS script)."""
    return read_feeder(path, format=format, q_limits=q_limits, threads=threads)
