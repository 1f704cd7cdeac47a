"""What all processors of a program know from the beginning: its attributes, and what code uses."""

from __future__ import annotations

import copy
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

from palmette._reach import reached

if TYPE_CHECKING:
    from palmette._program import Program

_MISSING = object()
_NOT_CONSTANTS = {"state", "message", "constant_words", "_dtypes"}


class Constants:
    """The constants of a program while it runs.

    Attributes of its instance and of its classes; default values, outer variables and globals
    that handlers use. Inside of ``with`` arrays cannot be written.
    """

    def __init__(self, program: Program) -> None:
        self._program = program
        self._values = _attributes(program)
        self._before = copy.deepcopy(self._values)
        self._frozen: list[np.ndarray[Any, Any]] = []
        self._name = type(program).__name__
        #: The words of 4 bytes that they take.
        self.words = sum(self._words(key, value) for key, value in self._values.items())

    def __enter__(self) -> Constants:
        for array in _arrays(self._values):
            if array.flags.writeable:
                array.flags.writeable = False
                self._frozen.append(array)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for array in self._frozen:
            array.flags.writeable = True

    def check(self) -> None:
        """Whether they are what they were before."""
        now = _attributes(self._program)
        for key in {**self._before, **now}:
            if not _same(self._before.get(key, _MISSING), now.get(key, _MISSING)):
                text = f"{self._name}: a handler has changed {key}"
                raise TypeError(f"{text}; processors share nothing, keep it in the state")

    def _words(self, key: str, value: Any) -> int:
        if value is None:
            return 0
        if isinstance(value, (np.ndarray, np.generic)) and not value.dtype.hasobject:
            return -(-value.nbytes // 4)
        if isinstance(value, (int, float)):
            return max(2, -(-value.bit_length() // 32)) if isinstance(value, int) else 2
        if isinstance(value, (str, bytes)):
            return -(-len(value if isinstance(value, bytes) else value.encode()) // 4)
        if isinstance(value, (tuple, list, set, frozenset)):
            return sum(self._words(key, item) for item in value)
        if isinstance(value, dict):
            return sum(self._words(key, item) for pair in value.items() for item in pair)
        kind = type(value).__name__
        text = f"{self._name}: {key} is a {kind}, which has no number of words"
        raise TypeError(f"{text}; constants are numbers, texts, arrays, or tuples of them")


def _attributes(program: Program) -> dict[str, Any]:
    """By description: attributes of the instance and of all its classes but ``Program``, but for
    methods and types; and what the code of handlers uses."""
    from palmette._program import Program

    found: dict[str, Any] = {}
    own = tuple(kind for kind in type(program).__mro__ if kind not in (Program, object))
    for kind in reversed(own):
        found.update(vars(kind))
    found.update(vars(program))

    def is_constant(key: str, value: Any) -> bool:
        if key in _NOT_CONSTANTS or key.startswith("__"):
            return False
        described = hasattr(type(value), "__get__")
        return not (callable(value) or described or isinstance(value, np.dtype))

    named = {f"the attribute {k!r}": v for k, v in found.items() if is_constant(k, v)}
    return {**named, **reached(program, own)}


def _arrays(value: Any) -> list[np.ndarray[Any, Any]]:
    if isinstance(value, np.ndarray):
        return [value]
    if isinstance(value, dict):
        value = list(value.values())
    return [a for v in value for a in _arrays(v)] if isinstance(value, (tuple, list)) else []


def _same(a: Any, b: Any) -> bool:
    if type(a) is not type(b):
        return False
    if isinstance(a, (np.ndarray, np.generic)):
        return bool(a.dtype == b.dtype and a.shape == b.shape and a.tobytes() == b.tobytes())
    if isinstance(a, (tuple, list)):
        return len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return list(a) == list(b) and all(_same(a[key], b[key]) for key in a)
    return a is b or bool(a == b) or (a != a and b != b)
