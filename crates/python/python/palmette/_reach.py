"""What the code of handlers reaches beside their arguments."""

from __future__ import annotations

import dis
import enum
import types
from collections.abc import Iterator
from typing import Any

import numpy as np

#: The methods that run on processors; others are the host's unless these name them.
HANDLERS = ("start", "receive", "phase")


def reached(program: object, own: tuple[type, ...]) -> dict[str, Any]:
    """Data that handlers use and that are no attributes, by a description.

    Default values, variables of functions around them, and globals: of the handlers, of methods
    and functions that they name, and so on. ``own`` are the classes of the program. Functions,
    modules and types are part of the program's text. What may hold memory of its own is refused.
    """
    search = _Search(program, own)
    for name in HANDLERS:
        search.methods(name)
    while search.pending:
        search.look(search.pending.pop())
    return search.found


class _Search:
    def __init__(self, program: object, own: tuple[type, ...]) -> None:
        self.name = type(program).__name__
        self.program = program
        self.own = own
        self.found: dict[str, Any] = {}
        self.pending: list[types.FunctionType] = []
        self._seen: set[int] = set()

    def methods(self, name: str, every: bool = False) -> None:
        """Looks at what the program has under a name, if that is code; or what ``every`` class has."""
        for place in (vars(self.program), *map(vars, self.own)):
            value = place.get(name)
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            if isinstance(value, property):
                value = value.fget
            if callable(value) and not isinstance(value, type):
                self.take(value, f"the attribute {name!r}")
                if not every:
                    return

    def look(self, function: types.FunctionType) -> None:
        """Looks at a function's defaults, outer variables and globals."""
        where, code = function.__name__, function.__code__
        count = code.co_argcount
        defaults = function.__defaults__ or ()
        names = code.co_varnames[count - len(defaults) : count]
        for name, value in [*zip(names, defaults), *(function.__kwdefaults__ or {}).items()]:
            self.take(value, f"the default of {name!r} in {where}")
        outer = {}
        for name, cell in zip(code.co_freevars, function.__closure__ or ()):
            try:
                outer[name] = cell.cell_contents
            except ValueError:
                continue
        for part in _parts(code):
            for line in dis.get_instructions(part):
                step, name = line.opname, line.argval
                if step in ("STORE_GLOBAL", "DELETE_GLOBAL") or (
                    step in ("STORE_DEREF", "DELETE_DEREF") and name in code.co_freevars
                ):
                    text = f"{self.name}: {where} sets the variable {name!r} outside of it"
                    raise TypeError(f"{text}; processors share nothing, keep it in the state")
                if step == "LOAD_GLOBAL" and name in function.__globals__:
                    outer[name] = function.__globals__[name]
            # Methods that are overridden are called by way of a class.
            every = not {"super", *(kind.__name__ for kind in self.own)}.isdisjoint(part.co_names)
            for name in part.co_names:
                self.methods(name, every)
        for name, value in outer.items():
            self.take(value, f"the variable {name!r} that {where} uses")

    def take(self, value: Any, what: str) -> None:
        """Notes data, and puts code on the list of what to look at."""
        value = getattr(value, "__wrapped__", value)
        if isinstance(value, types.MethodType) and value.__self__ is self.program:
            value = value.__func__
        if value is self.program or isinstance(value, (types.ModuleType, np.dtype, np.ufunc)):
            return
        if isinstance(value, types.FunctionType):
            if id(value) not in self._seen and not _is_library(value):
                self._seen.add(id(value))
                self.pending.append(value)
        elif isinstance(value, type):
            self._type(value)
        elif isinstance(value, (types.BuiltinFunctionType, types.MethodType)) and (
            value.__self__ is None or isinstance(value.__self__, (types.ModuleType, type))
        ):
            return
        elif type(value).__name__ == "_ArrayFunctionDispatcher":  # numpy's functions
            return
        elif callable(value):
            text = f"{self.name}: {what} is a {type(value).__name__}, which may hold memory"
            raise TypeError(f"{text}; use functions, and attributes for what processors know")
        elif all(value is not other for other in self.found.values()):
            self.found[what] = value

    def _type(self, kind: type) -> None:
        text = issubclass(kind, (enum.Enum, BaseException)) or hasattr(kind, "_field_defaults")
        if text or kind in self.own or _is_library(kind):
            return
        if id(kind) in self._seen:
            return
        self._seen.add(id(kind))
        for name, value in vars(kind).items():
            if isinstance(value, (staticmethod, classmethod)):
                value = value.__func__
            described = hasattr(type(value), "__get__")
            if not name.startswith("__") and (callable(value) or not described):
                self.take(value, f"the attribute {name!r} of {kind.__name__}")


def _parts(code: types.CodeType) -> Iterator[types.CodeType]:
    """The code of a function, and of the functions in it."""
    yield code
    for constant in code.co_consts:
        if isinstance(constant, types.CodeType):
            yield from _parts(constant)


def _is_library(value: Any) -> bool:
    """Whether it is Python's own, numpy's or ours: code that keeps nothing for programs."""
    module = getattr(value, "__module__", None) or ""
    return module.split(".")[0] in ("builtins", "math", "numpy", "palmette", "typing", "collections")
