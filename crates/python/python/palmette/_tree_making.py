"""Trees from arrays, files and trees of other libraries."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import Any, TypeVar

import numpy as np
from numpy.typing import ArrayLike

from palmette import _build, _convert, _palmette
from palmette._arrays import (
    AnyArray,
    Integers,
    as_contiguous,
    indices,
    plain,
    threads_of,
    whole,
    wrong,
)
from palmette._tree_base import TreeBase

T = TypeVar("T", bound="Making")


class Making(TreeBase):
    """Trees from arrays, files and trees of other libraries."""

    @classmethod
    def from_parents(
        cls: type[T],
        parents: ArrayLike,
        *,
        forest: bool = False,
        self_root: bool = False,
        threads: int | None = None,
    ) -> T:
        """A tree from the parent of every vertex; a root has -1.

        ``self_root`` treats a vertex that is its own parent as a root, ``forest`` allows several
        roots. Arrays of int32, uint32 (where a root has 2^32 - 1) and int64 are read in place;
        others are copied.

        >>> palmette.Tree.from_parents([-1, 0, 0]).sizes()
        array([3, 1, 1])
        >>> palmette.Tree.from_parents([1, 0])
        Traceback (most recent call last):
            ...
        ValueError: the parents form a cycle of 2 vertices: 0 → 1 → 0
        """
        array = plain(parents, "parents")
        if array.ndim != 1:
            raise ValueError(f"parents: expected one dimension, found shape {array.shape}")
        kind, size = array.dtype.kind, array.dtype.itemsize
        core = _palmette.Tree
        if kind == "u" and size == 4:
            lent = as_contiguous(array, np.uint32)
            return cls(core.from_parents32(lent, False, self_root, forest, threads_of(threads)))
        if kind in "iu" and size < 4 or kind == "i" and size == 4:
            lent = as_contiguous(array, np.int32).view(np.uint32)
            return cls(core.from_parents32(lent, True, self_root, forest, threads_of(threads)))
        if array.size == 0 and kind == "f":
            array = array.astype(np.int64)
        if array.dtype == np.uint64 and array.size:
            # The largest number is -1 to those who count without signs.
            array = np.where(array == np.iinfo(np.uint64).max, -1, array.astype(np.int64))
        wide = _parents(array)
        return cls(core.from_parents64(wide, self_root, forest, threads_of(threads)))

    @classmethod
    def from_newick(
        cls: type[T],
        source: str | bytes | os.PathLike[str],
        *,
        tree: int | str | None = None,
        forest: bool = False,
        missing_length: float | None = None,
        support: str = "auto",
        threads: int | None = None,
    ) -> T:
        """A tree from a text in Newick's format, or from a file of that format.

        A string with a parenthesis or a semicolon is a text, anything else a file name. ``tree``
        chooses one of several trees by its number, or ``"all"`` of them as a forest;
        ``missing_length`` is the branch length of vertices without one, in a tree where others have
        one. ``support`` says whether numbers on inner vertices are :attr:`support` rather than
        labels: ``"yes"``, ``"no"`` or ``"auto"``, which means those from 0 to 100 without quotes, if
        most labelled inner vertices have one.

        >>> palmette.Tree.from_newick("(a,(b,c)x)r;").labels
        ['r', 'a', 'x', 'b', 'c']
        """
        choice = None if tree is None else str(tree)
        options = (choice, None, False, forest, missing_length, support, threads_of(threads))
        is_text = isinstance(source, str) and ("(" in source or ";" in source)
        if isinstance(source, bytes) or is_text:
            content = source if isinstance(source, bytes) else str(source).encode()
            return cls(_palmette.Tree.read("newick", content, "newick", *options))
        return cls(_palmette.Tree.read(os.fspath(source), None, "newick", *options))

    @classmethod
    def generate(
        cls: type[T],
        shape: str,
        *,
        seed: int = _palmette.DEFAULT_SEED,
        shuffle: bool = False,
        lengths: bool = False,
        threads: int | None = None,
    ) -> T:
        """A built-in shape: ``phylogeny:99``, ``random:1000``, ``path:10``, ``star:10``,
        ``profile:100:5`` and others, as in ``palmette tree generate``.

        ``shuffle`` numbers the vertices randomly; ``lengths`` adds random branch lengths.

        >>> palmette.Tree.generate("perfect:7").leaves()
        array([4, 2, 2, 1, 1, 1, 1])
        """
        number = whole(seed, "seed")
        return cls(_palmette.Tree.generate(shape, number, shuffle, lengths, threads_of(threads)))

    @classmethod
    def read(
        cls: type[T],
        path: str | os.PathLike[str],
        *,
        format: str | None = None,
        tree: int | str | None = None,
        header: bool | None = None,
        self_root: bool = False,
        forest: bool = False,
        missing_length: float | None = None,
        support: str = "auto",
        threads: int | None = None,
    ) -> T:
        """A tree from a file: Newick, NEXUS, PhyloXML, a table of parents (CSV, TSV, Parquet, Arrow),
        an edge list or a ``.npy`` array.

        The format is found from the name, then from the content; gzip and zstd are decompressed.
        ``header`` says whether the first row of a table is a header, if that is ambiguous; ``tree``
        and ``support`` are those of :meth:`from_newick`, and ``tree="marked"`` is the tree that NEXUS
        marks with ``*``.
        """
        choice = None if tree is None else str(tree)
        lengths = (missing_length, support, threads_of(threads))
        options = (format, choice, header, self_root, forest, *lengths)
        return cls(_palmette.Tree.read(os.fspath(path), None, *options))

    @classmethod
    def from_arrow(
        cls: type[T],
        table: Any,
        id: str | None = None,
        parent: str | None = None,
        *,
        self_root: bool = False,
        forest: bool = False,
        missing_length: float | None = None,
        threads: int | None = None,
    ) -> T:
        """A tree from a table with a row per vertex: of pyarrow, polars, pandas (2.2 or later),
        DuckDB, or any library with the Arrow PyCapsule interface.

        ``id`` and ``parent`` name the columns; by default they are found as in files (``id``,
        ``node``, ``name``; ``parent``, ``parent_id``; else the first two). Both are integers or
        both are text; a root's parent is null. Columns ``label`` and ``length`` are taken as in
        files. Vertices are rows, so other columns of the table are values as they are:

        >>> import pyarrow as pa
        >>> table = pa.table({"part": ["car", "axle", "wheel"], "of": [None, "car", "axle"],
        ...                   "kg": [900.0, 40.0, 9.5]})
        >>> tree = palmette.Tree.from_arrow(table, "part", "of")
        >>> tree.leaffix(table["kg"])
        array([949.5,  49.5,   9.5])
        """
        options = (self_root, forest, missing_length, threads_of(threads))
        return cls(_palmette.Tree.from_arrow(table, id, parent, *options))

    @classmethod
    def from_networkx(
        cls: type[T], graph: Any, root: Any = None, *, weight: str | None = None, forest: bool = False
    ) -> T:
        """A tree from a graph of networkx.

        In a directed graph edges go from parents to children. In an undirected one ``root``
        says which node is the root, by default the first. Vertices are numbered in the order
        of ``graph.nodes``; their labels are the attribute ``label``, a text, or else the nodes as
        text, and ``support`` is their support. ``weight`` names the attribute of edges that is
        their length.
        """
        parents, labels, lengths, support = _build.of_networkx(graph, root, weight, forest)
        made = cls.from_parents(parents, forest=forest)
        return cls(made._core.with_labels(labels, lengths, support))

    @classmethod
    def from_scipy(
        cls: type[T],
        matrix: Any,
        root: int = 0,
        *,
        directed: bool = False,
        lengths: bool = False,
        forest: bool = False,
    ) -> T:
        """A tree from a sparse matrix of scipy, such as a spanning tree of ``csgraph``.

        An entry ``(i, j)`` is an edge; ``directed`` says that it goes from a parent to a child,
        otherwise the tree hangs from ``root``. ``lengths`` uses the entries as branch lengths.

        >>> from scipy.sparse import coo_array
        >>> path = coo_array(([2.0, 3.0], ([0, 1], [1, 2])), shape=(3, 3))
        >>> palmette.Tree.from_scipy(path, root=1).parents
        array([ 1, -1,  1])
        """
        parents, found = _build.of_scipy(matrix, root, directed, lengths, forest)
        made = cls.from_parents(parents, forest=forest)
        if found is None:
            return made
        labels = [str(v) for v in range(len(made))]
        return cls(made._core.with_labels(labels, found))

    @classmethod
    def _from_parts(cls: type[T], parts: _convert.Parts, support: Any = None, rule: str | None = None) -> T:
        parents, labels, lengths, _ = parts
        return cls(cls.from_parents(parents)._core.with_labels(labels, lengths, support, rule))

    @classmethod
    def from_dendropy(
        cls: type[T], tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> T:
        """A tree of DendroPy. Vertices are numbered in preorder; ``support`` says whether labels of
        inner nodes are support, as in :meth:`from_newick`."""
        return cls._from_parts(_convert.of_dendropy(tree, missing_length), None, support)

    @classmethod
    def from_treeswift(
        cls: type[T], tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> T:
        """A tree of treeswift; otherwise as :meth:`from_dendropy`."""
        return cls._from_parts(_convert.of_treeswift(tree, missing_length), None, support)

    @classmethod
    def from_skbio(
        cls: type[T], tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> T:
        """A tree of scikit-bio; otherwise as :meth:`from_dendropy`."""
        return cls._from_parts(_convert.of_skbio(tree, missing_length), None, support)

    @classmethod
    def from_ete(cls: type[T], tree: Any, *, missing_length: float | None = None) -> T:
        """A tree of ete3 or ete4, with the support of inner nodes unless it is 1 everywhere."""
        parts, support = _convert.of_ete(tree, missing_length)
        return cls._from_parts(parts, support)

    @classmethod
    def join(cls: type[T], trees: Iterable[TreeBase]) -> T:
        """Many trees as one forest, so that one call computes over all of them.

        Vertices are numbered tree after tree: values of the trees, concatenated, are values of the
        forest, and :meth:`split` takes answers apart. Branch lengths are kept, labels are not.

        >>> import numpy as np
        >>> trees = [palmette.Tree.from_parents(p) for p in ([-1, 0], [1, -1, 1])]
        >>> forest = palmette.Tree.join(trees)
        >>> forest.split(forest.leaffix(np.array([1, 2, 10, 20, 30])))
        [array([3, 2]), array([10, 60, 30])]
        """
        return cls(_palmette.Tree.join([tree._core for tree in trees]))


def _parents(array: AnyArray) -> Integers:
    """Parents of 64 bits."""
    if array.dtype.kind not in "iu" and array.dtype.kind != "O":
        raise wrong("parents", "integers", array)
    try:
        return indices(array, "parents")
    except IndexError as error:
        raise ValueError(str(error)) from None
