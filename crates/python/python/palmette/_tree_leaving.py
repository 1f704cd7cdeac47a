"""Trees as texts, files, tables and trees of other libraries."""

from __future__ import annotations

import importlib
import os
from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from palmette import _convert
from palmette._arrays import AnyArray
from palmette._tree_facts import Facts
from palmette.arrow import ArrowTable


class Leaving(Facts):
    """Trees as texts, files, tables and trees of other libraries."""

    def to_arrow(self, columns: Mapping[str, ArrayLike]) -> ArrowTable:
        """Results as a table for other libraries, without a copy: first a column ``vertex`` with
        the names of the vertices, then these columns, one entry per vertex.

        >>> import pyarrow as pa
        >>> tree = palmette.Tree.from_newick("(a,(b,c)x)r;")
        >>> pa.table(tree.to_arrow({"size": tree.sizes()})).to_pydict()
        {'vertex': ['r', 'a', 'x', 'b', 'c'], 'size': [5, 1, 3, 1, 1]}
        """
        return ArrowTable(columns, self._core)

    def to_newick(self, *, annotations: str = "none") -> str:
        """The tree in Newick, a line for each tree of a forest; with support as labels.

        Numbers that are labels of inner vertices are in quotes, so that they are not taken for
        support. ``annotations`` writes them as comments: ``"nhx"`` or ``"beast"``.

        >>> palmette.Tree.from_newick("((a:1,b:2)95:3,c:4);").to_newick()
        '((a:1,b:2)95:3,c:4);\\n'
        """
        return self._core.to_text("newick", annotations)

    def to_nexus(self, *, annotations: str = "none") -> str:
        """The tree in NEXUS: a block of taxa, and one of trees with ``translate``."""
        return self._core.to_text("nexus", annotations)

    def write(
        self,
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        annotations: str = "none",
    ) -> None:
        """Writes the tree to a file: Newick, NEXUS, a table of parents (CSV, TSV, Parquet, Arrow), an
        edge list or a ``.npy`` array, by its name unless ``format`` says so; ``.gz`` and ``.zst`` are
        compressed. The file appears when it is complete. What is written reads back the same."""
        self._core.write(os.fspath(path), format, annotations)

    def to_parents(self, *, names: bool = False) -> Any:
        """The parent of every vertex, -1 for a root; with ``names`` a dictionary from the name of a
        vertex to that of its parent, None for a root.

        >>> palmette.Tree.from_newick("(a,(b,c)x)r;").to_parents(names=True)
        {'r': None, 'a': 'r', 'x': 'r', 'b': 'x', 'c': 'x'}
        """
        parents = self.parents
        if not names:
            return parents
        called = self._core.names()
        return {called[v]: called[p] if p >= 0 else None for v, p in enumerate(parents.tolist())}

    def to_networkx(self) -> Any:
        """A directed graph of networkx with an edge from each parent to its children, in their order.
        Nodes are names of vertices (numbers where there are no labels), edges have ``length``, nodes
        ``support``, where the tree has them. The ``label`` of a node is empty where the vertex has none,
        so that ``from_networkx(graph, weight="length")`` gives the tree back."""
        return _convert.to_networkx(self)

    def to_dendropy(self) -> Any:
        """A tree of DendroPy. Support is the label of inner nodes."""
        return _convert.to_dendropy(self)

    def to_treeswift(self) -> Any:
        """A tree of treeswift. Support is the label of inner nodes."""
        return _convert.to_treeswift(self)

    def to_skbio(self) -> Any:
        """A tree of scikit-bio. Support is the name of inner nodes."""
        return _convert.to_skbio(self)

    def to_ete(self) -> Any:
        """A tree of ete4, or else of ete3."""
        return _convert.to_ete(self)

    def table(
        self, columns: Mapping[str, ArrayLike] | None = None, *, tips: bool = False
    ) -> Any:
        """A table of vertices: a DataFrame if pandas is installed, else a dictionary of arrays.

        It has the vertex, its name, its parent (-1 for a root), whether it is a tip, its length and
        support where the tree has any, annotations as ``&key``, and then ``columns``, one entry per
        vertex. ``tips`` leaves out inner vertices.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2)95:3,c:4);")
        >>> table = tree.table({"depth": tree.depth(lengths=True)}, tips=True)
        >>> [list(table[key]) for key in ("name", "depth")]
        [['a', 'b', 'c'], [4.0, 5.0, 4.0]]
        """
        is_tip = np.zeros(len(self), bool)
        is_tip[self.tips] = True
        names = np.array(self._core.names(), dtype=object)
        table: dict[str, AnyArray] = {"vertex": np.arange(len(self)), "name": names}
        table.update(parent=self.parents, is_tip=is_tip)
        if self.lengths is not None:
            table["length"] = self.lengths
        if self.support is not None:
            table["support"] = self.support
        for key, texts in self.annotations.items():
            table[f"&{key}"] = np.array([text or None for text in texts], dtype=object)
        for key, values in (columns or {}).items():
            array = np.asarray(values)
            if array.shape[:1] != (len(self),):
                raise ValueError(f"{key}: shape {array.shape} for {len(self)} vertices")
            table[key] = array
        if tips:
            table = {key: array[is_tip] for key, array in table.items()}
        try:
            return importlib.import_module("pandas").DataFrame(table)
        except ImportError:
            return table
