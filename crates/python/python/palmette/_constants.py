"""What all processors of a program know from the beginning: its attributes."""

from __future__ import annotations

import copy
from types import TracebackType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from palmette._program import Program

_MISSING = object()
_NOT_CONSTANTS = {"state", "message", "constant_words", "_dtypes"}


class Constants:
    """The attributes of a program, of its instance and of its classes, while it runs.

    Inside of ``with`` arrays cannot be written.
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
                text = f"{self._name}: a handler has set its attribute {key!r}"
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
        text = f"{self._name}: the attribute {key!r} is a {kind}, which has no number of words"
        raise TypeError(f"{text}; constants are numbers, texts, arrays, or tuples of them")


def _attributes(program: Program) -> dict[str, Any]:
    """Those of the instance and of all classes below ``Program``, but for methods and types."""
    from palmette._program import Program

    found: dict[str, Any] = {}
    for kind in reversed(type(program).__mro__):
        if issubclass(kind, Program) and kind is not Program:
            found.update(vars(kind))
    found.update(vars(program))

    def is_constant(key: str, value: Any) -> bool:
        if key in _NOT_CONSTANTS or key.startswith("__"):
            return False
        described = hasattr(type(value), "__get__")
        return not (callable(value) or described or isinstance(value, np.dtype))

    return {key: value for key, value in found.items() if is_constant(key, value)}


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
