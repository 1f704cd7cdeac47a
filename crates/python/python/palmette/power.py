"""Power networks: drops and transients of chips' grids, power flow of feeders."""

from __future__ import annotations

import os

from palmette._grid import Drop, Grid, Scenarios, Waveforms, read_grid

__all__ = ["Drop", "Grid", "Scenarios", "Waveforms", "read"]


def read(path: str | os.PathLike[str], *, threads: int | None = None) -> Grid:
    """Reads a network: a SPICE netlist."""
    return read_grid(path, threads=threads)
