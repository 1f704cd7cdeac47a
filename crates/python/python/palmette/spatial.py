"""Programs on a simulated spatial computer: a grid of processors that send messages.

The cost of messages is counted: energy (their total distance), depth (the longest chain), distance
and link loads. Every answer of our programs is checked against the host.

Your own program is a :class:`Program`, which runs on a :class:`Machine`; :func:`sweep` compares it
with your theorem, and an answer must be the same under all :func:`deliveries`.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import AnyArray, columns, grid_of, maybe_whole, numbers, threads_of, whole
from palmette._program import Machine, Processor, Program, ProgramError, deliveries, sweep
from palmette.operators import COLUMNS
from palmette.record import Record
from palmette.tree import Tree

__all__ = [
    "PROGRAMS",
    "Machine",
    "Processor",
    "Program",
    "ProgramError",
    "deliveries",
    "run",
    "sweep",
]

# The library says which of these it takes.
SIGNED = (-(2**63), 2**63 - 1)

PROGRAMS = ("treefix", "lca", "layout", "broadcast", "reduce")


def run(
    program: str,
    tree: Tree,
    values: ArrayLike | None = None,
    *,
    op: str = "sum",
    direction: str = "leaffix",
    method: str = "ours",
    pairs: Any = None,
    curve: str = _palmette.DEFAULT_CURVE,
    order: str = _palmette.DEFAULT_ORDER,
    grid: tuple[int, int] | None = None,
    layout_order: bool = False,
    modulus: int | None = None,
    wrapping: bool = False,
    seed: int = _palmette.DEFAULT_SEED,
    delivery: str = _palmette.DEFAULT_DELIVERY,
    given: str | Sequence[str] = (),
    replay: str = _palmette.DEFAULT_REPLAY,
    hop_latency: int = _palmette.DEFAULT_HOP_LATENCY,
    ramp_latency: int = _palmette.DEFAULT_RAMP_LATENCY,
    compute_latency: int = _palmette.DEFAULT_COMPUTE_LATENCY,
    link_capacity: int = _palmette.DEFAULT_LINK_CAPACITY,
    picture: bool = True,
    trace: str | os.PathLike[str] | None = None,
    threads: int | None = None,
) -> Record:
    """Runs a program and returns a record of its costs, with the answer.

    ========== ============================================================================
    treefix    aggregates ``values`` with ``op``: ``direction`` is ``leaffix`` or ``rootfix``
    lca        lowest common ancestors of ``pairs``, two vertices per row, or labels
    layout     puts the tree in light-first order; the answer is where vertices go
    broadcast  every vertex sends its number to its children; the answer is their parents
    reduce     every vertex receives the aggregate of its children's values
    ========== ============================================================================

    ``method`` says how ``treefix`` contracts the tree: ``ours``, or ``published``, in rounds with
    coins. Trees for ``treefix``, ``lca`` and ``layout`` have one root and lie in light-first order.
    The record's ``result`` has the costs, and ``phases`` those of each phase; ``picture`` adds
    those that ``palmette spatial ... --record`` keeps: links and rounds, and the steps of a small
    treefix. They take time and memory on large grids.

    ``delivery`` is how long messages take: ``"step"``, ``"manhattan:5"`` (5 and the distance),
    ``"random:1-20"`` (a random time, decided by ``seed``) or ``"network"`` (through routers on which
    they wait for each other); answers do not depend on it. ``given``
    names what a program gets for free instead of learning it by messages, such as ``"seed"``, or
    ``"all"``; ``result["given"]`` has what it used.

    ``cycles`` in the result is how long the messages take through routers on which they wait for
    each other: ``hop_latency`` cycles per hop, ``ramp_latency`` between a processor and its router,
    ``compute_latency`` in a processor, ``link_capacity`` words per link and cycle. ``replay`` says
    when it is found out: ``auto`` (up to 65,536 processors and 2^24 hops), ``always`` or ``never``;
    where it is not, ``cycles`` is ``None``.

    ``trace`` is a file for every message: ``.goal`` for LogGOPSim and HTSIM, ``.json`` for Perfetto.

    >>> tree = palmette.Tree.from_parents([-1, 0, 0, 1, 1])
    >>> record = palmette.spatial.run("lca", tree, pairs=[(3, 4), (3, 2)])
    >>> record.answer, record.result["correct"]
    (array([1, 0]), True)
    """
    if not isinstance(tree, Tree):
        raise TypeError(f"tree: expected a palmette.Tree, found {type(tree).__name__}")
    place = {
        "curve": curve,
        "order": order,
        "grid": grid_of(grid),
        "seed": whole(seed, "seed"),
        "delivery": delivery,
        "given": _gifts(given),
        "picture": picture,
        "trace": None if trace is None else os.fspath(trace),
        "threads": threads_of(threads),
        "replay": replay,
        "hop_latency": whole(hop_latency, "hop_latency", *SIGNED),
        "ramp_latency": whole(ramp_latency, "ramp_latency", *SIGNED),
        "compute_latency": whole(compute_latency, "compute_latency", *SIGNED),
        "link_capacity": whole(link_capacity, "link_capacity", *SIGNED),
    }
    operation = {
        "op": op,
        "direction": direction,
        "method": method,
        "layout_order": layout_order,
        "wrapping": wrapping,
        "modulus": maybe_whole(modulus, "modulus"),
    }
    core = tree._core
    if program == "lca":
        if pairs is None:
            raise TypeError("pairs: none given; pass two vertices per row")
        both = tree._vertices(pairs, "pairs")
        if both.ndim != 2 or both.shape[1] != 2:
            raise ValueError(f"pairs: expected shape (m, 2), found {both.shape}")
        u, v = (np.ascontiguousarray(both[:, k]) for k in (0, 1))
        text, found = _palmette.spatial_run_lca(core, u, v, place)
    elif program == "layout":
        text, found = _palmette.spatial_run_layout(core, place)
    elif program == "treefix":
        columns = _columns(tree, values, op)
        text, found = _palmette.spatial_run_treefix(core, columns, operation, place)
    elif program in ("broadcast", "reduce"):
        reduce = program == "reduce"
        columns = _columns(tree, values, op) if reduce else []
        text, found = _palmette.spatial_run_message(core, reduce, columns, operation, place)
    else:
        raise ValueError(f"unknown program '{program}'; expected one of {', '.join(PROGRAMS)}")
    return Record(text, found[0] if len(found) == 1 else tuple(found))


def _gifts(given: str | Sequence[str]) -> str:
    """What is free, as the command line has it."""
    names = given if isinstance(given, str) else ",".join(given)
    return names or "none"


def _columns(tree: Tree, values: Any, op: str) -> list[AnyArray]:
    """As many columns as an operator takes."""
    count = COLUMNS.get(op, 1)
    if count == 0:
        if values is not None:
            raise TypeError(f"values: {op} takes none")
        return []
    if values is None:
        return [np.ones(len(tree), np.int64)] * count
    if isinstance(values, tuple):
        return [numbers(column, "values") for column in values]
    array = numbers(values, "values")
    if array.ndim <= 1:
        return [array.reshape(-1)]
    return columns(array)
