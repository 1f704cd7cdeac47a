"""Converts what users pass to arrays that the extension can read in place."""

from __future__ import annotations

import importlib
import math
import operator
from typing import Any

import numpy as np
from numpy.typing import NDArray

from palmette import _palmette

Integers = NDArray[np.int64]
Floats = NDArray[np.float64]
AnyArray = NDArray[Any]


def need(module: str, what: str) -> Any:
    """An optional package, or an ImportError that says what it is for."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        package = module.split(".")[0]
        raise ImportError(f"{what} needs {package}: pip install {package}") from error


def plain(x: object, what: str) -> AnyArray:
    """Any array, of numbers or not, without masks."""
    if x is None:
        raise TypeError(f"{what}: expected an array, found None")
    lent = _of_arrow(x, what)
    if lent is not None:
        return lent
    if isinstance(x, np.ma.MaskedArray) and np.ma.is_masked(x):
        raise TypeError(f"{what}: expected an array without masked entries")
    try:
        return np.asarray(x)
    except (ValueError, OverflowError) as error:
        raise ValueError(f"{what}: expected an array of numbers: {error}") from None


def _of_arrow(x: object, what: str) -> AnyArray | None:
    """A column of numbers of another library, where it lies; nulls are an error.

    What has a type of numpy is an array already; its library would take NaN for null.
    """
    if isinstance(x, (np.ndarray, list, tuple)) or isinstance(getattr(x, "dtype", None), np.dtype):
        return None
    if not hasattr(x, "__arrow_c_stream__") and not hasattr(x, "__arrow_c_array__"):
        return None
    return _palmette.arrow_numbers(x, what)


def wrong(what: str, expected: str, array: AnyArray) -> TypeError:
    """An error that names the type that was found."""
    found: object = array.dtype
    if array.dtype.kind == "O":
        found = "Python objects"
        if array.size:
            first = array.reshape(-1)[0]
            found = f"Python objects such as {first!r:.40}"
    return TypeError(f"{what}: expected {expected}, found {found}")


def numbers(x: object, what: str) -> AnyArray:
    """A contiguous array of int64, uint64, float64 or float32; copied only if needed."""
    array = plain(x, what)
    kind, size = array.dtype.kind, array.dtype.itemsize
    if kind == "f" and isinstance(x, (list, tuple)) and array.size:
        if all(isinstance(one, int) for one in np.asarray(x, object).flat):
            text = "no integer type holds all of these; pass an array of float64 to round them"
            raise ValueError(f"{what}: {text}")
    if kind == "f" and size <= 8:
        target: type = np.float64 if size == 8 else np.float32
    elif kind in "bi":
        target = np.int64
    elif kind == "u":
        target = np.uint64
    else:
        raise wrong(what, "numbers of at most 64 bits", array)
    return as_contiguous(array, target)


def as_contiguous(array: AnyArray, target: type) -> AnyArray:
    """The array itself if it has the type, is contiguous and in native byte order."""
    return np.require(array, dtype=np.dtype(target), requirements=["C", "A"])


def floats(x: object, what: str) -> Floats:
    """A contiguous array of float64."""
    array = plain(x, what)
    if array.dtype.kind not in "biuf" or array.dtype.itemsize > 8:
        raise wrong(what, "real numbers", array)
    return as_contiguous(array, np.float64)


def indices(x: object, what: str) -> Integers:
    """A contiguous array of int64; other values are not indices."""
    array = plain(x, what)
    if array.size == 0 and array.dtype.kind == "f":
        array = array.astype(np.int64)
    if array.dtype.kind == "O":
        array = _integers(array, what)
    if array.dtype.kind not in "iu":
        raise wrong(what, "integers", array)
    if array.dtype == np.uint64 and array.size and int(array.max()) > np.iinfo(np.int64).max:
        raise IndexError(f"{what}: expected vertices, found {int(array.max())}")
    return as_contiguous(array, np.int64)


def _integers(array: AnyArray, what: str) -> Integers:
    """Converts Python integers, which may have any size."""
    for x in array.reshape(-1):
        try:
            number = operator.index(x)
        except TypeError:
            raise wrong(what, "integers", array) from None
        if not -(2**63) <= number < 2**63:
            raise IndexError(f"{what}: expected vertices, found {number}")
    return array.astype(np.int64)


def whole(x: object, what: str, least: int = 0, most: int = 2**64 - 1) -> int:
    """A whole number in a range."""
    if isinstance(x, (bool, np.bool_)):
        raise TypeError(f"{what}: expected a whole number, found {x!r}")
    try:
        number = operator.index(x)  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"{what}: expected a whole number, found {x!r:.40}") from None
    if not least <= number <= most:
        raise ValueError(f"{what}: expected {least} to {most}, found {number}")
    return number


def maybe_whole(x: object, what: str, least: int = 0, most: int = 2**64 - 1) -> int | None:
    """The same where there may be none."""
    return None if x is None else whole(x, what, least, most)


def threads_of(x: object) -> int | None:
    """A number of threads; None or 0 means one per core."""
    return maybe_whole(x, "threads", 0, _palmette.MOST_THREADS)


def grid_of(x: Any) -> tuple[int, int] | None:
    """The sides of a grid."""
    if x is None:
        return None
    try:
        width, height = x
    except (TypeError, ValueError):
        raise TypeError(f"grid: expected columns and rows, found {x!r:.40}") from None
    return whole(width, "grid", 1, 2**32 - 1), whole(height, "grid", 1, 2**32 - 1)


def columns(array: AnyArray) -> list[AnyArray]:
    """The columns of an array with one row per vertex, each contiguous."""
    flat = array.reshape(array.shape[0], math.prod(array.shape[1:]))
    return [np.ascontiguousarray(flat[:, k]) for k in range(flat.shape[1])]
