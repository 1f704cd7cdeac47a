"""User-defined operators."""

from __future__ import annotations

import ctypes
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from palmette import _palmette
from palmette._arrays import AnyArray, need

#: What all functions of ctypes are.
_FUNCTION: Any = ctypes.CFUNCTYPE(None).__mro__[1]

_TYPES = ("float64", "int64", "uint64", "float32")

#: The columns of values that each operator with a name takes.
COLUMNS: dict[str, int] = dict(_palmette.operator_names())


def operators() -> list[str]:
    """The operators that have names.

    >>> "argmin" in palmette.operators()
    True
    """
    return list(COLUMNS)


class Operator:
    """An associative function of two numbers with an identity.

    ``function`` is one of

    - what ``numba.cfunc`` makes, such as ``cfunc("float64(float64, float64)")(f)``,
    - a function pointer of ctypes (with ``argtypes`` and ``restype``) or of cffi,
    - the address of such a function, an integer; then ``dtype`` says what it takes,
    - any callable. It is called from one thread, which holds the interpreter's lock: some hundred
      times slower, which does not matter for small trees.

    Compiled functions are called from many threads at once, so they must not write to shared data.
    An address must point to a function of two numbers of the type: a wrong address crashes the
    interpreter.

    >>> import numpy as np
    >>> longest = palmette.Operator(max, identity=0)
    >>> tree = palmette.Tree.from_parents([-1, 0, 1, 0])
    >>> tree.leaffix(np.array([3, 1, 4, 1]), op=longest)
    array([4, 4, 4, 1])
    """

    def __init__(self, function: Any, identity: float, dtype: DTypeLike | None = None) -> None:
        self.function = function
        self.identity = identity
        self.address: int | None = None
        found: str | None = None
        if isinstance(function, bool) or function is None:
            raise TypeError(f"op: expected a function or its address, found {function!r}")
        if isinstance(function, (int, np.integer)):
            self.address = int(function)
            if not 0 < self.address < 2**64:
                raise ValueError(f"op: expected the address of a function, found {function}")
            if dtype is None:
                raise TypeError("op: an address needs a dtype")
        elif isinstance(function, _FUNCTION):
            self.address = ctypes.cast(function, ctypes.c_void_p).value
            found = _ctypes_type(function)
        elif type(function).__module__ == "_cffi_backend":
            self.address, found = _cffi_pointer(function)
        elif hasattr(function, "address") and hasattr(function, "_sig"):
            self.address = int(function.address)
            found = _numba_type(function)
        elif not callable(function):
            raise TypeError(f"op: expected a function or its address, found {function!r}")
        named = None if dtype is None else np.dtype(dtype).name
        if named is not None and named not in _TYPES:
            raise TypeError(f"op: expected dtype {', '.join(_TYPES)}, found {named}")
        if found is not None and named is not None and found != named:
            raise TypeError(f"op: expected a function of {named}, found one of {found}")
        self.dtype: str | None = found or named

    def check(self, values: AnyArray) -> None:
        """Refuses values of a type that the function does not take."""
        found = values.dtype.name
        if self.dtype is not None and self.dtype != found:
            raise TypeError(f"op: a function of {self.dtype} does not take values of {found}")

    def __repr__(self) -> str:
        return f"Operator({self.function!r}, identity={self.identity!r}, dtype={self.dtype!r})"


def as_operator(op: Any, identity: float | None, dtype: DTypeLike | None) -> Operator:
    """The operator for the arguments of a call."""
    if isinstance(op, Operator):
        if identity is not None or dtype is not None:
            raise TypeError("identity: an Operator already has its own")
        return op
    if identity is None:
        raise TypeError("identity: a function needs one, such as 0 for sums")
    return Operator(op, identity, dtype)


def _same(types: list[str | None], shown: object) -> str:
    if len(types) != 3 or len(set(types)) != 1 or types[0] not in _TYPES:
        raise TypeError(
            f"op: expected a function of two numbers that returns one, all of one of "
            f"{', '.join(_TYPES)}; found {shown}"
        )
    return str(types[0])


def _ctypes_type(function: Any) -> str:
    names = {
        ctypes.c_double: "float64",
        ctypes.c_float: "float32",
        ctypes.c_int64: "int64",
        ctypes.c_uint64: "uint64",
    }
    # A class made by CFUNCTYPE states its types, a function of a library does after the user.
    arguments = function.argtypes
    if arguments is None:
        raise TypeError("op: expected a function of ctypes with argtypes and restype")
    result: Callable[..., Any] | None = function.restype
    types = [names.get(kind) for kind in (*arguments, result)]
    return _same(types, (arguments, result))


def _cffi_pointer(function: Any) -> tuple[int, str]:
    ffi = need("cffi", "a function of cffi").FFI()
    kind = ffi.typeof(function)
    if kind.kind != "function":
        raise TypeError(f"op: expected a pointer to a function, found {kind.cname}")
    names = {
        "double": "float64",
        "float": "float32",
        "int64_t": "int64",
        "long": "int64",
        "long long": "int64",
        "uint64_t": "uint64",
        "unsigned long": "uint64",
        "unsigned long long": "uint64",
    }
    types = [names.get(part.cname) for part in (*kind.args, kind.result)]
    return int(ffi.cast("uintptr_t", function)), _same(types, kind.cname)


def _numba_type(function: Any) -> str:
    signature = function._sig
    types = [str(part) for part in (*signature.args, signature.return_type)]
    return _same(list(types), signature)
