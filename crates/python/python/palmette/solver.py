"""Preconditioners that are made once, and solves with them."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import Floats, columns, floats, maybe_whole, need, threads_of, whole

#: Right-hand sides that ``print`` shows one by one.
_MOST_ROWS = 8
#: What currents that add up to zero may be off by, relative to the largest.
_ROUNDING = 1e-9


def solve_options(
    preconditioner: str,
    tolerance: float,
    max_iterations: int | None,
    seed: int,
    memory: int | None,
    threads: int | None,
    *,
    work: int | None = None,
    stop: str | None = None,
    right_hand_sides: int = 1,
) -> dict[str, Any]:
    """How systems are solved, as the extension takes it."""
    return {
        "preconditioner": preconditioner,
        "tolerance": float(tolerance),
        "max_iterations": maybe_whole(max_iterations, "max_iterations"),
        "seed": whole(seed, "seed"),
        "memory": maybe_whole(memory, "memory"),
        "work": maybe_whole(work, "work"),
        "stop": stop,
        "right_hand_sides": whole(right_hand_sides, "right_hand_sides"),
        "threads": threads_of(threads),
    }


@dataclass(frozen=True, repr=False)
class SolveInfo:
    """How the solver did; for several right-hand sides, the slowest and least exact.

    ``print`` shows a short table.

    >>> import numpy as np
    >>> graph = palmette.Graph.from_scipy(np.array([[2.0, -1], [-1, 2]]))
    >>> _, info = graph.solve(np.array([[1.0, 2, 0], [0, 1, 0]]), preconditioner="direct")
    >>> info  # doctest: +ELLIPSIS
    <SolveInfo: direct, 3 right-hand sides, 1 iteration, residual ...>
    >>> print(info)  # doctest: +ELLIPSIS
    direct
    right-hand side  iterations  residual
                  0           1  ...
                  1           1  ...
                  2           0  ...
    """

    #: The preconditioner, never ``auto``.
    preconditioner: str
    #: Iterations done.
    iterations: int
    #: The relative residual, computed from the potentials.
    residual: float
    #: The largest mean of currents that was taken out of a part without ground.
    imbalance: float
    #: The relative residual before the first and after each iteration, a list for each
    #: right-hand side.
    history: list[Floats]

    def __repr__(self) -> str:
        parts = [self.preconditioner]
        if len(self.history) != 1:
            parts.append(_count(len(self.history), "right-hand side"))
        parts += [_count(self.iterations, "iteration"), f"residual {self.residual:.2g}"]
        return f"<SolveInfo: {', '.join(parts)}>"

    def __str__(self) -> str:
        lines = [self.preconditioner, "right-hand side  iterations  residual"]
        for k, history in enumerate(self.history[:_MOST_ROWS]):
            lines.append(f"{k:>15}  {len(history) - 1:>10}  {history[-1]:>8.2g}")
        more = len(self.history) - _MOST_ROWS
        if more > 0:
            rest = self.history[_MOST_ROWS:]
            slowest = max(len(history) - 1 for history in rest)
            largest = max(history[-1] for history in rest)
            lines.append(f"{f'{more} more, worst':>15}  {slowest:>10}  {largest:>8.2g}")
        if self.imbalance > 0:
            lines.append(f"imbalance {self.imbalance:.2g}")
        return "\n".join(lines)


def _count(number: int, what: str) -> str:
    return f"{number} {what}" if number == 1 else f"{number} {what}s"


class Solver:
    """A graph with a preconditioner, built once for any number of solves.

    :meth:`Graph.solver` makes one.
    """

    def __init__(self, core: _palmette.Solver) -> None:
        self._core = core

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        return f"<Solver of {len(self)} vertices, {self.preconditioner}>"

    @property
    def preconditioner(self) -> str:
        """Which preconditioner, never ``auto``."""
        return self._core.preconditioner

    @property
    def setup_seconds(self) -> float:
        """Seconds to build it."""
        return sum(self._core.setup_seconds)

    def solve(self, b: ArrayLike) -> tuple[Floats, SolveInfo]:
        """Potentials for currents ``b`` (one or several columns), and a :class:`SolveInfo`."""
        array = floats(b, "b")
        if array.ndim not in (1, 2) or array.shape[0] != len(self):
            raise ValueError(
                f"b: expected {len(self)} rows and one or several columns, found shape {array.shape}"
            )
        found = self._core.solve(columns(array))
        info = SolveInfo(
            preconditioner=self.preconditioner,
            iterations=max((one[1] for one in found), default=0),
            residual=max((one[2] for one in found), default=0.0),
            imbalance=max((one[3] for one in found), default=0.0),
            history=[one[4] for one in found],
        )
        if info.imbalance > _ROUNDING * np.abs(array).max(initial=0.0):
            warnings.warn(
                "b: currents of a part without ground do not add up to 0; the mean, up to "
                f"{info.imbalance:.3e} per vertex, was subtracted",
                RuntimeWarning,
                stacklevel=3,
            )
        if array.ndim == 1:
            return found[0][0], info
        if not found:
            return np.empty_like(array), info
        return np.stack([one[0] for one in found], axis=1), info

    def precondition(self, r: ArrayLike) -> Floats:
        """The preconditioner's approximation of the potentials for ``r``."""
        array = floats(r, "r")
        return self._core.precondition(np.ascontiguousarray(array.reshape(-1)))

    def as_operator(self) -> Any:
        """The preconditioner as a ``LinearOperator``, which scipy's ``cg`` takes as ``M``."""
        linalg = need("scipy.sparse.linalg", "a LinearOperator")
        shape = (len(self), len(self))
        return linalg.LinearOperator(
            shape, matvec=self.precondition, rmatvec=self.precondition, dtype=np.float64
        )
