"""Programs of one's own on the simulated spatial computer."""

from __future__ import annotations

import collections
import json
import math
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from palmette import _palmette
from palmette._arrays import AnyArray, maybe_whole, whole
from palmette._constants import Constants
from palmette._palmette import Processor, ProgramError
from palmette.record import Record

__all__ = ["Machine", "Processor", "Program", "ProgramError", "deliveries", "sweep"]


class Program:
    """A message program: what each processor keeps, what it sends, and what it does.

    A subclass says the dtypes of a processor's :attr:`state` and of a :attr:`message`, and has
    two handlers, :meth:`start` and :meth:`receive`. They see the state of their own processor,
    the message and a :class:`Processor` to send with. Nothing else is theirs: processors share
    no memory, and a program that reaches around that is no message program; its costs mean
    nothing. Attributes of the program are constants, which all processors know from the
    beginning: numbers, texts, arrays, and tuples, lists and dicts of them. So are default values
    of handlers' arguments, and the variables of functions around them and globals that they use.
    Handlers cannot change constants, and their words count as a part of every state. Handlers with loops say how long these
    are (``processor.work``), for ``work_per_activation``.

    >>> class Walk(palmette.spatial.Program):
    ...     '''A token walks along the curve and counts the processors it meets.'''
    ...     state = np.uint32
    ...     message = np.uint32
    ...     def start(self, state, processor):
    ...         if processor.me == 0:
    ...             self.receive(state, 0, processor)
    ...     def receive(self, state, met, processor):
    ...         state[...] = met
    ...         if processor.me + 1 < processor.count:
    ...             processor.send(processor.me + 1, met + 1)
    >>> machine = palmette.spatial.Machine(64)
    >>> machine.run(Walk())[-3:]
    array([61, 62, 63], dtype=uint32)
    >>> machine.costs["energy"], machine.costs["depth"], machine.costs["distance"]
    (63, 63, 63)

    An optional method ``phase(message)`` names the phase that a message is charged to.
    """

    #: The dtype of a processor's state, without Python objects. Its words count.
    state: Any
    #: The dtype of a message: booleans, integers and floats, rows of them, structs of both.
    message: Any
    #: The words of constants that a program gets in any other way: they count as well.
    constant_words: int = 0

    def initial(self, n: int) -> AnyArray:
        """The states of n processors before the program: their input. By default zeros."""
        return np.zeros(n, self.state)

    def start(self, state: Any, processor: Processor) -> None:
        """What a processor does first. By default nothing: it waits for a message.

        ``state`` is the processor's row of the states. A struct is written by its fields,
        ``state["value"] = 3``; a number by ``state[...] = 3``.
        """

    def receive(self, state: Any, message: Any, processor: Processor) -> None:
        """What a processor does when a message arrives.

        A message is a number, a tuple of numbers where its dtype is a row, and a named tuple
        where its dtype is a struct.
        """
        raise NotImplementedError(f"{type(self).__name__} has no method receive")

    def check(self, states: AnyArray) -> bool | None:
        """Whether these are the right answers, for :func:`sweep`. By default nobody knows."""
        return None


class Machine:
    """A grid of n processors along a curve, and the books of what has been run on it.

    ``words`` are the words of memory of a processor, 4 bytes each, for its state and the
    messages that it holds. ``delivery`` says how long messages take: ``step``, ``manhattan:5``,
    ``random:1-20``, ``random:5+1-2/hop,ordered,seed=7``, or ``network``: through routers on which
    they wait for each other. ``seed`` decides the random bits of processors, and random delays. ``trace`` keeps every message. ``replay`` says when messages are
    replayed through routers for ``cycles``: ``auto``, ``always`` or ``never``.

    Programs that run one after another overlap in time: a processor enters the next as soon as
    it has handled its last message of the one before.
    """

    def __init__(
        self,
        n: int,
        curve: str = _palmette.DEFAULT_CURVE,
        *,
        words: int = _palmette.DEFAULT_WORDS,
        delivery: str = _palmette.DEFAULT_DELIVERY,
        seed: int = _palmette.DEFAULT_SEED,
        step_limit: int | None = None,
        trace: bool = False,
        replay: str = _palmette.DEFAULT_REPLAY,
    ) -> None:
        options = {
            "curve": curve,
            "words": whole(words, "words", 0, 2**32 - 1),
            "delivery": delivery,
            "seed": whole(seed, "seed"),
            "step_limit": maybe_whole(step_limit, "step_limit", 1, 2**32 - 1),
            "trace": bool(trace),
            "replay": replay,
        }
        #: The number of processors.
        self.n = whole(n, "n", 1, 2**32 - 2)
        self._core = _palmette.Machine(self.n, options)
        self._answer: AnyArray | None = None
        self._found: dict[str, Any] | None = None
        self._names: list[str] = []

    def run(self, program: Program, states: AnyArray | None = None) -> AnyArray:
        """Runs a program until no message is on its way, and returns the states.

        They begin as ``states``, one row per processor, or as what :meth:`Program.initial`
        gives. A program that goes wrong ends with one :exc:`ProgramError`, after which the
        machine is not to be used.
        """
        if isinstance(program, type) and issubclass(program, Program):
            name = program.__name__
            raise TypeError(f"program: found the class {name}; pass {name}()")
        if not isinstance(program, Program):
            found = type(program).__name__
            raise TypeError(f"program: expected a palmette.spatial.Program, found {found}")
        name = type(program).__name__
        state, message = _dtypes(program)
        kept = _rows(program.initial(self.n) if states is None else states, state, self.n)
        constants = Constants(program)
        parts = {
            "name": name,
            "start": program.start,
            "receive": program.receive,
            "phase": getattr(program, "phase", None),
            "is_struct": state.names is not None,
            "state_words": -(-state.itemsize // 4)
            + whole(program.constant_words, "constant_words", 0, 2**32 - 1)
            + constants.words,
            **_form(message),
        }
        self._found = None
        with constants:
            self._core.run(parts, kept)
        _dtypes(program)
        constants.check()
        self._names.append(name)
        self._answer = kept
        return kept

    def record(self, *, picture: bool = True) -> Record:
        """All runs so far, as :func:`palmette.spatial.run` has them; the answer is the last's."""
        name = ", ".join(dict.fromkeys(self._names))
        return Record(self._core.record(name, picture), self._answer)

    @property
    def costs(self) -> dict[str, Any]:
        """What all runs so far have cost, under the names that records have."""
        result = self._result()
        del result["phases"]
        return result

    @property
    def phases(self) -> list[dict[str, Any]]:
        """Costs by phase, in the order in which phases began."""
        return list(self._result()["phases"])

    def _result(self) -> dict[str, Any]:
        if self._found is None:
            self._found = json.loads(self._core.record("", False))["result"]
        return dict(self._found)

    @property
    def link_loads(self) -> AnyArray:
        """Messages over links: to the right of cells, back from there, down and up.

        An array of shape (4, rows, columns); messages go along their row first.
        """
        columns, rows, ways = self._core.link_loads()
        return np.array(ways, np.uint64).reshape(4, rows, columns)

    @property
    def messages(self) -> AnyArray:
        """Every message: step of sending, sender, receiver, phase. Needs ``trace=True``."""
        found = self._core.messages()
        if found is None:
            raise ValueError("messages: none were kept; pass trace=True")
        names, columns = found
        phase = np.array(names or [""])[np.array(columns[3], np.int64)]
        kinds = [("step", np.int64), ("sender", np.int64), ("receiver", np.int64)]
        array = np.empty(len(phase), [*kinds, ("phase", phase.dtype)])
        for key, column in zip(("step", "sender", "receiver"), columns):
            array[key] = column
        array["phase"] = phase
        return array

    def write_trace(self, path: str | os.PathLike[str]) -> None:
        """Writes every message for other tools. Needs ``trace=True``.

        ``.goal`` and ``.txt`` are schedules for LogGOPSim and HTSIM, ``.json`` is for Perfetto;
        with ``.gz`` or ``.zst`` behind they are compressed.
        """
        if not self._core.write_trace(os.fspath(path)):
            raise ValueError("write_trace: no messages were kept; pass trace=True")

    def __repr__(self) -> str:
        return f"<Machine of {self.n} processors>"


def sweep(
    program: Program,
    sizes: Iterable[int],
    *,
    theorem: Mapping[str, str] | None = None,
    seeds: Iterable[int] = (_palmette.DEFAULT_SEED,),
    curve: str = _palmette.DEFAULT_CURVE,
    words: int = _palmette.DEFAULT_WORDS,
    delivery: str = _palmette.DEFAULT_DELIVERY,
) -> Record:
    """Runs a program at several sizes, and compares its costs with a theorem.

    ``theorem`` says how quantities grow: ``{"energy": "n log n", "depth": "log n"}``. Quantities
    are ``energy``, ``energy_words`` (counted once for every word), ``depth``, ``distance``,
    ``messages`` and ``words``; laws are products such as ``1``, ``log n``, ``log^2 n``, ``sqrt n``,
    ``n``, ``n log n``, ``n^1.5``. The record has a plot for each. Its ``result`` has ``rows``, and ``fits`` with the ``constant`` of every law
    and its ``growth``: how much cost over law is larger at the largest size than at the
    smallest. About 1 is as it should be; a law that is too small grows.

    The answer is a table with one row per size and seed. If :meth:`Program.check` says so of
    any run, ``result["correct"]`` is false.
    """
    asked = sorted({whole(n, "sizes", 1, 2**32 - 2) for n in sizes})
    if not asked:
        raise ValueError("sizes: expected at least one")
    runs, drawn = [], []
    for n in asked:
        for seed in seeds:
            machine = Machine(
                n, curve, words=words, delivery=delivery, seed=seed, replay="never"
            )
            correct = program.check(machine.run(program))
            runs.append((machine._core, None if correct is None else bool(correct)))
            drawn.append(seed)
    if not runs:
        raise ValueError("seeds: expected at least one")
    name, bounds = type(program).__name__, list((theorem or {}).items())
    record = Record(_palmette.spatial_study(name, runs, bounds))
    rows = record.result["rows"]
    known = [key for key in rows[0] if all(row[key] is not None for row in rows)]
    kinds = [(key, bool if key == "correct" else np.int64) for key in known]
    table = np.empty(len(rows), [*kinds, ("seed", np.uint64)])
    for key in known:
        table[key] = [row[key] for row in rows]
    table["seed"] = drawn
    record.answer = table
    return record


def deliveries(patterns: int) -> list[str]:
    """Ways to deliver messages under which an answer must stay the same.

    In steps, by distance, through routers, and so many random ones with little spread and much,
    ordered and not.

    >>> palmette.spatial.deliveries(2)
    ['step', 'manhattan', 'manhattan:100', 'random:1-2', 'random:1-2,ordered,seed=1', 'network']
    """
    return _palmette.spatial_deliveries(whole(patterns, "patterns", 0, 2**32))


def _dtypes(program: Program) -> tuple[np.dtype[Any], np.dtype[Any]]:
    """The dtypes of state and message, which are the same in every call."""
    name, found = type(program).__name__, []
    for what in ("state", "message"):
        if not hasattr(program, what):
            raise TypeError(f"{name} has no {what}: set it to a dtype")
        try:
            dtype = np.dtype(getattr(program, what))
        except TypeError as error:
            raise TypeError(f"{name}.{what}: {error}") from None
        if dtype.hasobject:
            text = "expected a dtype without Python objects, which have no words"
            raise TypeError(f"{name}.{what}: {text}; found {dtype}")
        first = vars(program).setdefault("_dtypes", {}).setdefault(what, dtype)
        if first != dtype:
            raise TypeError(f"{name}.{what}: the dtype was {first}, and is now {dtype}")
        found.append(dtype)
    return found[0], found[1]


def _rows(states: Any, dtype: np.dtype[Any], n: int) -> AnyArray:
    """The states as an array of their own."""
    base, shape = dtype.subdtype or (dtype, ())
    if not isinstance(states, np.ndarray):
        raise TypeError(f"states: expected an array of {dtype}, found {type(states).__name__}")
    if states.dtype != base:
        raise TypeError(f"states: expected the program's dtype {base}, found {states.dtype}")
    if states.shape != (n, *shape):
        raise ValueError(f"states: expected shape {(n, *shape)}, found {states.shape}")
    return np.array(states, order="C")


def _form(dtype: np.dtype[Any]) -> dict[str, Any]:
    """The fields of a message, for the extension."""

    def field(name: str, of: np.dtype[Any]) -> tuple[str, str, int | None]:
        base, shape = of.subdtype or (of, ())
        if base.names is not None:
            raise TypeError(f"message: expected a struct of numbers, found {dtype}")
        return name, f"{base.kind}{base.itemsize}", math.prod(shape) if shape else None

    if dtype.names is None:
        return {"fields": [field("", dtype)], "tuple": None, "dtype": str(dtype)}
    kinds: Mapping[str, Any] = dtype.fields or {}
    fields = [field(name, kinds[name][0]) for name in dtype.names]
    made = collections.namedtuple("Message", dtype.names, rename=True)  # type: ignore[misc]
    return {"fields": fields, "tuple": made, "dtype": str(dtype)}
