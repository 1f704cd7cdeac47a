"""Power networks: drops and transients of chips' grids, power flow of feeders."""

from __future__ import annotations

__all__: list[str] = []
