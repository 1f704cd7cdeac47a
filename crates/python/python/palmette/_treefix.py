"""Aggregates: converts arguments to columns, and columns to results."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import DTypeLike

from palmette import _palmette
from palmette._arrays import AnyArray, columns, maybe_whole, numbers, threads_of, whole
from palmette.operators import COLUMNS, Operator, as_operator

#: engine, scope, sum, error_bound, modulus, wrapping, seed, threads
Options = tuple[str, str, str, bool, int | None, bool, int, int | None]

#: Orders of values and answers.
_ORDERS = ("vertex", "preorder")

#: Measures of the command line that need no values, and where trees have them.
_PROPERTIES = {
    "size": "Tree.sizes()",
    "leaves": "Tree.leaves()",
    "height": "Tree.height()",
    "depth": "Tree.depth()",
    "weighted-depth": "Tree.depth(lengths=True)",
}


def treefix(
    core: _palmette.Tree,
    way: str,
    values: Any,
    op: Any,
    identity: float | None,
    dtype: DTypeLike | None,
    order: str,
    out: AnyArray | None,
    options: Options,
) -> Any:
    """A leaffix or rootfix."""
    engine, scope, sum, error_bound, modulus, wrapping, seed, threads = options
    preorder = order == "preorder"
    if not preorder and order != "vertex":
        raise ValueError(f"order: expected {' or '.join(_ORDERS)}, found {order!r}")
    if (
        type(op) is str
        and op == "sum"
        and type(values) is np.ndarray
        and sum == "plain"
        and engine == "auto"
        and (scope == "inclusive" or scope == "exclusive")
        and identity is None
        and dtype is None
        and error_bound is False
        and modulus is None
        and type(wrapping) is bool
        and not (wrapping and values.dtype.kind == "f")
    ):
        count = None if threads is None else threads_of(threads)
        plain = not (wrapping or preorder) and scope == "inclusive" and values.ndim == 1
        if plain and (out is None or (type(out) is np.ndarray and out.ndim == 1)):
            swept = core.plain_sums(way == "rootfix", values, out, count)
            if swept is not None:
                return swept
        found = _sums(core, way, values, scope, wrapping, preorder, out, count)
        if found is not None:
            return found
    modulus, seed = maybe_whole(modulus, "modulus"), whole(seed, "seed")
    threads = threads_of(threads)
    if not isinstance(op, str):
        if (sum, error_bound, modulus, wrapping) != ("plain", False, None, False):
            text = "sum, error_bound, modulus and wrapping apply only to named operators"
            raise TypeError(f"op: {text}")
        if preorder or out is not None:
            raise TypeError("order and out apply only to named operators")
        mine = as_operator(op, identity, dtype)
        work = _custom(core, way, mine, scope, engine, threads)
        return _by_column(values, len(core), work)
    if identity is not None or dtype is not None:
        raise TypeError("identity and dtype do not apply to a named operator")
    if engine.startswith("gpu") and op in COLUMNS:
        if preorder or out is not None:
            raise TypeError("order and out apply only to engines of the host")
        given = (scope, engine, wrapping, modulus, seed, sum, error_bound, threads)
        return _on_device(core, way, op, values, given)

    def named(given: list[AnyArray]) -> list[AnyArray]:
        found, overflows = core.treefix(
            way,
            op,
            given,
            scope,
            engine,
            wrapping,
            modulus,
            seed,
            sum,
            error_bound,
            preorder,
            out,
            threads,
        )
        if overflows:
            _warn(overflows, 5)
        return found

    if op in _PROPERTIES:
        raise ValueError(f"op: {op} is not an operator on values; use {_PROPERTIES[op]}")
    count = COLUMNS.get(op)
    if count == 0:
        if values is not None:
            raise TypeError(f"values: {op} takes none")
        return named([])[0]
    if out is not None and (count is None or count > 1 or np.ndim(values) > 1):
        raise TypeError(f"out: {op} does not take it here")
    if count is not None and count > 1:
        return _several(op, count, values, len(core), named)
    if op in ("argmin", "argmax"):
        return tuple(named([column(values, len(core))]))
    if error_bound:
        bounds, sums = named([column(values, len(core))])
        return sums, bounds
    return _by_column(values, len(core), lambda one: named([one])[-1])


def _warn(overflows: int, level: int) -> None:
    warnings.warn(
        f"{overflows} sums of finite values overflow (sum='exact' loses only final "
        "values that are too large)",
        RuntimeWarning,
        stacklevel=level + 1,
    )


def _sums(
    core: _palmette.Tree,
    way: str,
    values: AnyArray,
    scope: str,
    wrapping: bool,
    preorder: bool,
    out: AnyArray | None,
    threads: int | None,
) -> Any:
    """Plain sums of an array as it is: one column, or all columns in one pass. None where its type
    or its shape needs more."""
    wide = values.ndim > 1
    if wide and (values.shape[0] != len(core) or values.size == 0):
        return None
    if out is not None and (not isinstance(out, np.ndarray) or out.shape != values.shape):
        raise ValueError(f"out: expected an array of shape {values.shape}")
    found = core.sums(
        way == "rootfix",
        values,
        values.size // values.shape[0] if wide else None,
        scope == "exclusive",
        wrapping,
        preorder,
        out,
        threads,
    )
    if found is None:
        return None
    sums, overflows = found
    if overflows:
        _warn(overflows, 4)
    return sums.reshape(values.shape) if wide and out is None else sums


def column(values: Any, vertices: int) -> AnyArray:
    """One column of values; ones where there are none."""
    found = np.ones(vertices, np.int64) if values is None else numbers(values, "values")
    if found.ndim != 1:
        raise ValueError(f"values: expected one dimension, found shape {found.shape}")
    return found


def _by_column(values: Any, vertices: int, work: Callable[[AnyArray], AnyArray]) -> AnyArray:
    """Runs work for each column of an array of any shape."""
    array = np.ones(vertices, np.int64) if values is None else numbers(values, "values")
    if array.ndim <= 1:
        return work(column(array, vertices))
    if array.shape[0] != vertices:
        raise ValueError(f"values: {array.shape[0]} values for {vertices} vertices")
    found = [work(one) for one in columns(array)]
    return np.stack(found, axis=1).reshape(array.shape) if found else array


def _several(
    op: str,
    count: int,
    values: Any,
    vertices: int,
    named: Callable[[list[AnyArray]], list[AnyArray]],
) -> AnyArray:
    """Runs an operator whose elements have several numbers."""
    if values is None:
        raise TypeError(f"values: {op} takes {count} columns")
    if isinstance(values, tuple):
        given = [column(one, vertices) for one in values]
        shape: tuple[int, ...] = (vertices, len(given))
    else:
        array = np.atleast_1d(numbers(values, "values"))
        shape = array.shape
        given = columns(array)
    if len(given) != count:
        raise ValueError(f"values: {op} takes {count} columns, found {len(given)}")
    return np.stack(named(given), axis=1).reshape(shape)


def _custom(
    core: _palmette.Tree, way: str, op: Operator, scope: str, engine: str, threads: int | None
) -> Callable[[AnyArray], AnyArray]:
    """Applies a user-defined operator to a column."""

    def work(one: AnyArray) -> AnyArray:
        op.check(one)
        if op.address is not None:
            return core.treefix_pointer(
                way, op.address, op.function, op.identity, one, scope, engine, threads
            )
        if engine not in ("auto", "sequential"):
            text = f"an operator in Python runs on engine auto or sequential, not {engine}"
            raise ValueError(f"engine: {text}")
        return core.treefix_callable(way, op.function, op.identity, one, scope)

    return work


def _on_device(core: _palmette.Tree, way: str, op: str, values: Any, options: Any) -> Any:
    """Runs an operator by name on a graphics processor, for all columns together."""
    count, vertices = COLUMNS[op], len(core)
    if count == 0 and values is not None:
        raise TypeError(f"values: {op} takes none")
    given: list[AnyArray] = []
    shape: tuple[int, ...] = (vertices,)
    if isinstance(values, tuple):
        given = [column(one, vertices) for one in values]
        shape = (vertices, len(given))
    elif count > 0:
        array = np.ones(vertices, np.int64) if values is None else numbers(values, "values")
        given, shape = columns(array) if array.ndim > 1 else [column(array, vertices)], array.shape
        if array.ndim > 1 and shape[0] != vertices:
            raise ValueError(f"values: {shape[0]} values for {vertices} vertices")
        if not given:
            return array
    found, lost = core.device_treefix(way, op, given, *options)
    if lost:
        warnings.warn(f"{lost} sums overflow float32", RuntimeWarning, stacklevel=4)
    # A column has one answer, or two: a value and its vertex, a bound and the sum.
    each = 1 if count != 1 else len(found) // len(given)
    parts = [np.stack(found[k::each], axis=1).reshape(shape) for k in range(each)]
    if op == "sum":
        parts.reverse()
    return parts[0] if each == 1 else tuple(parts)
