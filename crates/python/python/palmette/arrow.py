"""Results for libraries with the Arrow PyCapsule interface."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _palmette
from palmette._arrays import AnyArray, plain, wrong


class ArrowTable:
    """A table, or one column, that other libraries take without a copy: ``pyarrow.table(x)`` and
    ``pyarrow.array(x)``, ``polars.DataFrame(x)`` and ``polars.Series(x)``,
    ``pandas.DataFrame.from_arrow(x)``, and DuckDB by its name in a query.

    :func:`to_arrow` and :meth:`Tree.to_arrow` make them. It keeps its arrays alive; do not write to
    them while others have it.
    """

    def __init__(self, columns: Any, tree: _palmette.Tree | None = None) -> None:
        if isinstance(columns, Mapping):
            names = [str(name) for name in columns]
            arrays = [_column(columns[name], str(name)) for name in columns]
            self._core = _palmette.Arrow(names, arrays, tree, False)
        else:
            self._core = _palmette.Arrow([""], [_column(columns, "values")], tree, True)

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        names = ", ".join(self._core.column_names)
        return f"<ArrowTable of {len(self)} rows: {names}>" if names else f"<{len(self)} numbers>"

    @property
    def column_names(self) -> list[str]:
        """The names of the columns."""
        return self._core.column_names

    def __arrow_c_schema__(self) -> object:
        return self._core.__arrow_c_schema__()

    def __arrow_c_array__(self, requested_schema: object = None) -> tuple[object, object]:
        return self._core.__arrow_c_array__(requested_schema)

    def __arrow_c_stream__(self, requested_schema: object = None) -> object:
        return self._core.__arrow_c_stream__(requested_schema)


def to_arrow(columns: Mapping[str, ArrayLike] | ArrayLike) -> ArrowTable:
    """Arrays as a table of named columns, or one array as a column, for other libraries. Contiguous
    arrays are not copied.

    >>> import numpy as np, polars as pl
    >>> table = palmette.to_arrow({"x": np.array([1, 2]), "y": np.array([0.5, 1.5])})
    >>> pl.DataFrame(table).sum().row(0)
    (3, 2.0)
    >>> pl.Series(palmette.to_arrow(np.array([3, 1, 2]))).sort().to_list()
    [1, 2, 3]
    """
    return ArrowTable(columns)


def _column(x: object, name: str) -> AnyArray:
    """One contiguous column of numbers in native byte order."""
    array = plain(x, name)
    if array.ndim != 1:
        raise ValueError(f"{name}: expected one dimension, found shape {array.shape}")
    if array.dtype.kind not in "iuf" or array.dtype.itemsize not in (1, 2, 4, 8):
        raise wrong(name, "integers or floats of at most 64 bits", array)
    if array.dtype == np.float16:
        array = array.astype(np.float32)
    return np.require(array, dtype=array.dtype.newbyteorder("="), requirements=["C", "A"])
