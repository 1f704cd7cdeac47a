"""Trees. Most of this file is docstrings; what they describe is in the extension."""

from __future__ import annotations

import importlib
import json
import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from palmette import _build, _convert, _diversity, _draw, _palmette
from palmette._arrays import (
    AnyArray,
    Floats,
    Integers,
    as_contiguous,
    floats,
    grid_of,
    indices,
    maybe_whole,
    plain,
    threads_of,
    whole,
    wrong,
)
from palmette._treefix import column, treefix
from palmette.arrow import ArrowTable
from palmette.layout import Layout
from palmette.operators import COLUMNS
from palmette.picture import Picture
from palmette.parsimony import Parsimony, Sequences
from palmette.parsimony import run as _parsimony


class Tree:
    """A rooted tree, or a forest. Vertices are numbers from 0; trees from files also have labels.

    What a tree was made from is an attribute (:attr:`parents`, :attr:`roots`, :attr:`preorder`,
    :attr:`labels`, :attr:`lengths`, :attr:`support`, :attr:`annotations`, :attr:`tips`); what is
    computed over it is a method.

    Trees are made by :meth:`from_parents`, :meth:`from_newick`, :meth:`read`,
    :meth:`from_arrow`, :meth:`from_networkx`, :meth:`from_scipy` and from trees of DendroPy, ete,
    scikit-bio and treeswift. They leave by :meth:`to_newick`, :meth:`to_nexus`, :meth:`write` and
    the other methods ``to_…``.

    >>> tree = palmette.Tree.from_newick("((Homo:6,Pan:6):2,Gorilla:8);")
    >>> tree
    <Tree of 5 vertices>
    >>> tree.label(tree.lca("Homo", "Gorilla"))
    '#0'
    >>> tree.distance("Homo", "Gorilla")
    16.0
    """

    def __init__(self, core: _palmette.Tree) -> None:
        if not isinstance(core, _palmette.Tree):
            makers = "from_parents, from_newick, read, from_arrow, from_networkx or from_scipy"
            raise TypeError(f"use Tree.{makers}")
        self._core = core

    # Making trees

    @classmethod
    def from_parents(
        cls,
        parents: ArrayLike,
        *,
        forest: bool = False,
        self_root: bool = False,
        threads: int | None = None,
    ) -> Tree:
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
        cls,
        source: str | bytes | os.PathLike[str],
        *,
        tree: int | str | None = None,
        forest: bool = False,
        missing_length: float | None = None,
        support: str = "auto",
        threads: int | None = None,
    ) -> Tree:
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
        cls,
        shape: str,
        *,
        seed: int = _palmette.DEFAULT_SEED,
        shuffle: bool = False,
        lengths: bool = False,
        threads: int | None = None,
    ) -> Tree:
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
        cls,
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
    ) -> Tree:
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
        cls,
        table: Any,
        id: str | None = None,
        parent: str | None = None,
        *,
        self_root: bool = False,
        forest: bool = False,
        missing_length: float | None = None,
        threads: int | None = None,
    ) -> Tree:
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
        cls, graph: Any, root: Any = None, *, weight: str | None = None, forest: bool = False
    ) -> Tree:
        """A tree from a graph of networkx.

        In a directed graph edges go from parents to children. In an undirected one ``root``
        says which node is the root, by default the first. Vertices are numbered in the order
        of ``graph.nodes``; their labels are the nodes as text. ``weight`` names the attribute
        of edges that is their length.
        """
        parents, labels, lengths = _build.of_networkx(graph, root, weight, forest)
        made = cls.from_parents(parents, forest=forest)
        return cls(made._core.with_labels(labels, lengths))

    @classmethod
    def from_scipy(
        cls,
        matrix: Any,
        root: int = 0,
        *,
        directed: bool = False,
        lengths: bool = False,
        forest: bool = False,
    ) -> Tree:
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
    def _from_parts(cls, parts: _convert.Parts, support: Any = None, rule: str | None = None) -> Tree:
        parents, labels, lengths, _ = parts
        return cls(cls.from_parents(parents)._core.with_labels(labels, lengths, support, rule))

    @classmethod
    def from_dendropy(
        cls, tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> Tree:
        """A tree of DendroPy. Vertices are numbered in preorder; ``support`` says whether labels of
        inner nodes are support, as in :meth:`from_newick`."""
        return cls._from_parts(_convert.of_dendropy(tree, missing_length), None, support)

    @classmethod
    def from_treeswift(
        cls, tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> Tree:
        """A tree of treeswift; otherwise as :meth:`from_dendropy`."""
        return cls._from_parts(_convert.of_treeswift(tree, missing_length), None, support)

    @classmethod
    def from_skbio(
        cls, tree: Any, *, missing_length: float | None = None, support: str = "auto"
    ) -> Tree:
        """A tree of scikit-bio; otherwise as :meth:`from_dendropy`."""
        return cls._from_parts(_convert.of_skbio(tree, missing_length), None, support)

    @classmethod
    def from_ete(cls, tree: Any, *, missing_length: float | None = None) -> Tree:
        """A tree of ete3 or ete4, with the support of inner nodes unless it is 1 everywhere."""
        parts, support = _convert.of_ete(tree, missing_length)
        return cls._from_parts(parts, support)

    @classmethod
    def join(cls, trees: Iterable[Tree]) -> Tree:
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
        ``support``, where the tree has them."""
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

    # What a tree has

    def split(self, values: ArrayLike) -> list[AnyArray]:
        """Values by vertex, taken apart: an array for each tree of a forest, in the order of
        :attr:`roots`, with the tree's vertices in ascending order.
        """
        array = np.asarray(values)
        if array.ndim == 0 or array.shape[0] != len(self):
            raise ValueError(f"values: shape {array.shape} for {len(self)} vertices")
        ends = np.cumsum(self.sizes()[self.roots])
        return [array[np.sort(part)] for part in np.split(self.preorder, ends)[:-1]]

    def __len__(self) -> int:
        return len(self._core)

    def __repr__(self) -> str:
        roots = self._core.root_count
        what = f"<Tree of {len(self)} vertices"
        return f"{what}, {roots} roots>" if roots != 1 else f"{what}>"

    @property
    def parents(self) -> Integers:
        """By vertex, its parent; -1 for a root."""
        return self._core.parents()

    @property
    def roots(self) -> Integers:
        """The roots."""
        return self._core.roots()

    @property
    def preorder(self) -> Integers:
        """The vertices in preorder: parents before children, subtrees in one piece."""
        return self._core.preorder()

    @property
    def labels(self) -> list[str]:
        """By vertex, its label; ``#`` and its number where the file has none.

        Several vertices may share a label. Queries then need ``#`` and the vertex's number.
        """
        return self._core.labels()

    @property
    def lengths(self) -> Floats | None:
        """By vertex, the length of the edge to its parent, if the file has lengths."""
        return self._core.lengths()

    @property
    def support(self) -> Floats | None:
        """By vertex, the support of the edge to its parent, NaN where there is none; None if no
        vertex has any.

        >>> palmette.Tree.from_newick("((a,b)95,c);").support
        array([nan, 95., nan, nan, nan])
        """
        return self._core.support()

    @property
    def annotations(self) -> dict[str, list[str]]:
        """By key, a text for every vertex, empty where it has none: what comments of Newick and NEXUS
        say (NHX, BEAST), elements of PhyloXML, or columns ``&key`` of a table."""
        return self._core.annotations()

    @property
    def tips(self) -> Integers:
        """The vertices without children, in ascending order.

        >>> palmette.Tree.from_newick("((a,b)x,c)r;").tips
        array([2, 3, 4])
        """
        return self._core.tips()

    def children(self, vertex: Any) -> Integers:
        """The children of a vertex, by number or label, in their order.

        >>> palmette.Tree.from_newick("((a,b)x,c)r;").children("r")
        array([1, 4])
        """
        return self._core.children(int(self._vertices(vertex, "vertex")))

    @property
    def origin(self) -> Integers | None:
        """By vertex, which vertex of the edited tree it was, -1 for a new one; None for a tree that
        no edit made. After :meth:`graft` vertices of the grafted tree follow those of the other.
        """
        return self._core.origin()

    def label(self, vertex: int) -> str:
        """The label of a vertex."""
        return self._core.label(int(indices(vertex, "vertex")))

    def vertex(self, label: str) -> int:
        """The vertex with a label."""
        return int(self._core.find([label])[0])

    # Measures

    def depth(self, *, lengths: bool | ArrayLike = False) -> AnyArray:
        """By vertex, the number of edges to its root, or with ``lengths`` their sum of lengths.

        ``lengths=True`` takes the tree's own; an array has one per vertex, for the edge to its
        parent.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.depth(), tree.depth(lengths=True)
        (array([0, 1, 2, 2, 1]), array([0., 3., 4., 5., 4.]))
        """
        if isinstance(lengths, (bool, np.bool_)) and not lengths:
            return self._core.measure("depth", None, None)
        return self._core.measure("weighted-depth", self._lengths(lengths), None)

    def height(self) -> Integers:
        """By vertex, the number of edges to the deepest vertex below."""
        return self._core.measure("height", None, None)

    def sizes(self) -> Integers:
        """By vertex, the number of vertices in its subtree."""
        return self._core.measure("size", None, None)

    def leaves(self) -> Integers:
        """By vertex, the number of leaves in its subtree; 1 for a leaf."""
        return self._core.measure("leaves", None, None)

    def _lengths(self, lengths: Any) -> Floats | None:
        """The lengths given by the caller; None for the tree's own."""
        if isinstance(lengths, (bool, np.bool_)):
            return None
        given = floats(lengths, "lengths")
        if given.shape != (len(self),):
            text = f"expected one length per vertex, {len(self)} in all, found shape {given.shape}"
            raise ValueError(f"lengths: {text}")
        return given

    # Aggregates

    def leaffix(
        self,
        values: ArrayLike | tuple[ArrayLike, ...] | None = None,
        op: Any = "sum",
        *,
        identity: float | None = None,
        engine: str = "auto",
        scope: str = "inclusive",
        sum: str = "plain",
        error_bound: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        dtype: DTypeLike | None = None,
        order: str = "vertex",
        out: AnyArray | None = None,
        threads: int | None = None,
    ) -> Any:
        """By vertex, the aggregate of the values in its subtree, in preorder.

        ``op`` is a name (:func:`palmette.operators` lists them), an :class:`Operator`, or a
        function with its ``identity``. Values are an array with one entry per vertex; further
        dimensions are columns, aggregated separately: sums of all columns take one pass. They are
        read in place if they are contiguous and float64, float32, int64 or uint64; smaller
        integers become int64.

        Answers are a new array, or go into ``out``, which has the answers' type and shape and
        shares no memory with the values. With ``order="preorder"`` values and answers are in the
        tree's preorder (:meth:`in_preorder`, :meth:`by_vertex`): the pass then reads and writes
        memory in order. On a tree whose vertices are numbered in preorder, or with parents before
        children, it makes little difference.

        ``affine`` takes pairs, an array of shape (n, 2); ``matrix`` takes shape (n, 2, 2);
        ``argmin`` and ``argmax`` return values and vertices; ``count`` takes no values.

        The engines ``gpu``, ``gpu-euler``, ``gpu-levels``, ``gpu-contract`` and ``gpu-trees`` run on a
        graphics processor, in builds that support one; columns of values share passes there.

        ``scope="exclusive"`` leaves out a vertex's own value. ``sum`` is how floats are added:
        ``plain``, ``compensated`` or ``exact``; ``error_bound`` adds a second array with upper
        bounds on the errors. An integer sum that overflows is an error unless ``wrapping``.

        >>> import numpy as np
        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 2])
        >>> tree.leaffix(np.array([1.0, 2.0, 3.0, 4.0]))
        array([10.,  2.,  7.,  4.])
        >>> tree.leaffix([5, 3, 8, 1], op="argmin")
        (array([1, 3, 1, 1]), array([3, 1, 3, 3]))
        >>> tree.leaffix(op="count")
        array([4, 1, 2, 1], dtype=uint64)
        """
        options = (engine, scope, sum, error_bound, modulus, wrapping, seed, threads)
        return treefix(self._core, "leaffix", values, op, identity, dtype, order, out, options)

    def rootfix(
        self,
        values: ArrayLike | tuple[ArrayLike, ...] | None = None,
        op: Any = "sum",
        *,
        identity: float | None = None,
        engine: str = "auto",
        scope: str = "inclusive",
        sum: str = "plain",
        error_bound: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        dtype: DTypeLike | None = None,
        order: str = "vertex",
        out: AnyArray | None = None,
        threads: int | None = None,
    ) -> Any:
        """By vertex, the aggregate of the values from its root down to it; else as
        :meth:`leaffix`.

        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 2])
        >>> tree.rootfix([1, 10, 100, 1000])
        array([   1,   11,  101, 1101])
        """
        options = (engine, scope, sum, error_bound, modulus, wrapping, seed, threads)
        return treefix(self._core, "rootfix", values, op, identity, dtype, order, out, options)

    def in_preorder(self, values: ArrayLike, *, threads: int | None = None) -> AnyArray:
        """Values by vertex, moved to the tree's preorder: what ``order="preorder"`` takes.

        >>> tree = palmette.Tree.from_parents([2, 0, -1, 2])
        >>> values = tree.in_preorder([1, 10, 100, 1000])
        >>> values
        array([ 100,    1,   10, 1000])
        >>> tree.by_vertex(tree.leaffix(values, order="preorder"))
        array([  11,   10, 1111, 1000])
        """
        return self._core.permuted(column(values, len(self)), False, threads_of(threads))

    def by_vertex(self, values: ArrayLike, *, threads: int | None = None) -> AnyArray:
        """Values in preorder, moved to their vertices: the inverse of :meth:`in_preorder`."""
        return self._core.permuted(column(values, len(self)), True, threads_of(threads))

    # Phylogenetics

    def parsimony(
        self,
        alignment: Sequences,
        cost: ArrayLike | str | os.PathLike[str] | None = None,
        gaps: str = "missing",
        *,
        type: str | None = None,
        alphabet: str | None = None,
        states: str | None = "mpr",
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Parsimony:
        """The parsimony of an alignment whose sequences are called as the tips are: scores by site and
        by branch, and states of all vertices.

        ``alignment`` is a file (FASTA or PHYLIP), a dict from names to sequences, or a 2-d array of
        bytes with a row per tip, tips in the order of their numbers. ``cost`` has a row per state of the
        parent and a column per state of the child, in the order of the alphabet (DNA: ``ACGT``, amino
        acids: by letter), or is a file with a header; by default every change costs 1. ``gaps`` are
        ``"missing"`` (any state) or a ``"state"`` of their own, the last one. ``type`` is ``"dna"``,
        ``"protein"`` or ``"standard"``, whose states are ``alphabet``; by default it is found from the
        symbols.

        ``states`` are ``"mpr"`` (all that some reconstruction of least cost has), ``"first-pass"``,
        ``"one"`` (those of one reconstruction) or None. ``ignore_missing`` leaves out sequences without a
        tip, and allows tips without a sequence any state.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> found = tree.parsimony({"a": "AC", "b": "AG", "c": "TC", "d": "TC"})
        >>> found.score, found.site_scores
        (2.0, array([1., 1.]))
        >>> found.states[tree.vertex("r")]
        'WC'
        """
        options = (type, alphabet, gaps, states, ignore_missing)
        by_array = not isinstance(alignment, (str, os.PathLike, Mapping))
        labels = self.labels if by_array else []
        tips = self.sizes() == 1 if by_array else np.empty(0, dtype=np.bool_)
        return _parsimony(self._core, labels, tips, alignment, cost, options, threads)

    # Queries

    def _vertices(self, x: Any, what: str) -> Integers:
        """Vertices by number, or by label."""
        if isinstance(x, str):
            return self._core.find([x]).reshape(())
        if isinstance(x, (int, np.integer)) and not isinstance(x, bool):
            return indices(x, what)
        array = plain(x, what)
        texts = array.dtype.kind == "U"
        if array.dtype.kind == "O" and array.size:
            texts = all(isinstance(label, str) for label in array.reshape(-1))
        if not texts:
            return indices(array, what)
        found = self._core.find([str(label) for label in array.reshape(-1)])
        return found.reshape(array.shape)

    def _together(self, *given: Any) -> tuple[list[Integers], tuple[int, ...]]:
        """Vertices that broadcast, each in one row, and the shape of an answer."""
        names = ["u", "v", *(f"vertex {k}" for k in range(3, len(given) + 1))]
        found = [self._vertices(x, name) for x, name in zip(given, names)]
        try:
            wide = np.broadcast_arrays(*found)
        except ValueError:
            shapes = " and ".join(str(x.shape) for x in found)
            raise ValueError(f"vertices: shapes {shapes} do not broadcast") from None
        return [np.ascontiguousarray(x).reshape(-1) for x in wide], wide[0].shape

    def lca(self, *vertices: Any, threads: int | None = None) -> Any:
        """The lowest common ancestor of vertices, or of many pairs, triples and so on; -1 across
        trees.

        Each argument is a number or a label, or an array of them; arrays broadcast. The first
        query makes an index, which later ones use.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> tree.label(tree.lca("a", "b")), tree.lca(2, [3, 5])
        ('x', array([1, 0]))
        >>> tree.label(tree.lca("a", "b", "d"))
        'r'
        """
        if len(vertices) == 2 and threads is None:
            u, v = vertices
            if type(u) is int and type(v) is int and -1 < u < 1 << 32 and -1 < v < 1 << 32:
                one = self._core.lca_pair(u, v)
                if one is not None:
                    return one
        if not vertices:
            raise TypeError("there are no vertices")
        (first, *others), shape = self._together(*vertices)
        count = threads_of(threads)
        second, *others = others or [first]
        found = self._core.lca(first, second, count)
        for other in others:
            apart = found < 0
            above = self._core.lca(np.where(apart, other, found), other, count)
            found = np.where(apart, -1, above)
        return found.reshape(shape) if shape else int(found[0])

    def distance(
        self, u: Any, v: Any, *, lengths: bool | ArrayLike | None = None, threads: int | None = None
    ) -> Any:
        """The distance between two vertices, or between many pairs.

        Where the tree has branch lengths it is their sum, and NaN across trees; elsewhere it is
        the number of edges, and -1 across trees. ``lengths=True`` and ``lengths=False`` ask for
        the one or the other; an array has one length per vertex, for the edge to its parent.

        >>> import numpy as np
        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.distance("a", "c"), tree.distance("a", "c", lengths=False)
        (8.0, 3)
        >>> tree.distance(["a", "b"], "c", lengths=np.ones(5))
        array([3., 3.])
        """
        (first, second), shape = self._together(u, v)
        if lengths is None:
            lengths = self._core.has_lengths
        if isinstance(lengths, (bool, np.bool_)) and not lengths:
            found = self._core.edge_distance(first, second, threads_of(threads))
            return found.reshape(shape) if shape else int(found[0])
        given = self._lengths(lengths)
        sums = self._core.length_distance(first, second, given, threads_of(threads))
        return sums.reshape(shape) if shape else float(sums[0])

    def mrca(self, vertices: Any) -> int:
        """The lowest common ancestor of a set of vertices, of any size; -1 across trees.

        >>> tree = palmette.Tree.from_newick("((a,b)x,(c,d)y)r;")
        >>> tree.label(tree.mrca(["a", "b"]))
        'x'
        """
        members = self._vertices(list(vertices), "vertices").reshape(-1)
        if not members.size:
            raise ValueError("there are no vertices")
        places = np.empty(len(self), dtype=np.int64)
        places[self.preorder] = np.arange(len(self))
        order = places[members]
        return int(self.lca(members[order.argmin()], members[order.argmax()]))

    def distance_matrix(
        self, tips: Any = None, *, lengths: bool | None = None, threads: int | None = None
    ) -> Floats:
        """Distances of vertices to each other, of all tips in preorder by default: by branch lengths where the tree has
        them, else in edges.

        >>> palmette.Tree.from_newick("((a:1,b:2):3,c:4);").distance_matrix(["a", "c"])
        array([[0., 8.],
               [8., 0.]])
        """
        chosen = None if tips is None else self._vertices(list(tips), "tips").reshape(-1)
        by_lengths = self._core.has_lengths if lengths is None else lengths
        found = self._core.distance_rows(chosen, by_lengths, threads_of(threads))
        n = round(found.size**0.5)
        return found.reshape(n, n)

    def measures(self) -> dict[str, Any]:
        """Balance and lengths: ``sackin``, ``colless`` (binary trees only), ``b1``, ``cherries``, ``gamma`` and others.

        >>> palmette.Tree.from_newick("((a,b),c);").measures()["sackin"]
        5
        """
        found: dict[str, Any] = json.loads(self._core.shape_measures())
        return found

    def lineages_through_time(self) -> tuple[Floats, Integers]:
        """Distances from the root at which the number of lineages changes, and the number from there on.

        >>> palmette.Tree.from_newick("((a:1,b:1):1,c:2);").lineages_through_time()
        (array([0., 1., 2.]), array([2, 3, 0]))
        """
        return self._core.lineages()

    def clock(self, dates: Mapping[Any, float]) -> dict[str, Any]:
        """The line through dates of tips and their distances from the root: ``rate``, ``root_date``, ``r_squared``.

        >>> palmette.Tree.from_newick("(a:1,b:2);").clock({"a": 2000, "b": 2010})["rate"]
        0.1
        """
        members = self._vertices(list(dates), "dates").reshape(-1)
        given = dict(zip(members.tolist(), map(float, dates.values())))
        found: dict[str, Any] = json.loads(self._core.clock_line(given))
        return found

    def path(
        self,
        u: Any,
        v: Any,
        values: ArrayLike | None = None,
        op: str = "sum",
        *,
        on_edges: bool = False,
        modulus: int | None = None,
        wrapping: bool = False,
        seed: int = _palmette.DEFAULT_SEED,
        threads: int | None = None,
    ) -> Any:
        """The aggregate of the values along the path from ``u`` to ``v``.

        ``on_edges`` says that a vertex's value belongs to the edge above it. Pairs in different
        trees of a forest are an error here. ``argmin`` and ``argmax`` return values and
        vertices.

        >>> tree = palmette.Tree.from_parents([-1, 0, 0, 1])
        >>> tree.path(3, 2, [1, 10, 100, 1000])
        1111
        """
        if op not in COLUMNS:
            raise ValueError(f"unknown operator '{op}'; expected one of {', '.join(COLUMNS)}")
        if COLUMNS[op] > 1:
            raise ValueError(f"op: expected an operator on single numbers, found {op}")
        given = [] if COLUMNS[op] == 0 else [column(values, len(self))]
        (first, second), shape = self._together(u, v)
        options = (maybe_whole(modulus, "modulus"), whole(seed, "seed"), threads_of(threads))
        found, present = self._core.path(first, second, op, given, on_edges, wrapping, *options)
        if present is not None and not all(present):
            at = present.index(False)
            raise ValueError(
                f"no path between ({first[at]}, {second[at]}): they are in different trees"
            )
        shaped = [x.reshape(shape) if shape else x[0].item() for x in found]
        return shaped[0] if len(shaped) == 1 else tuple(shaped)

    # Diversity

    def faith_pd(
        self,
        counts: Any,
        *,
        samples: Sequence[Any] | None = None,
        tips: Any = None,
        lengths: bool | ArrayLike = True,
        root_length: bool = False,
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Any:
        """Faith's phylogenetic diversity of each sample: the length of all branches above its tips.

        ``counts`` has a row per sample and a column per tip: an array, a sparse matrix of scipy, or a
        data frame of pandas whose columns are tips. ``tips`` names the columns, by label or by
        vertex; by default they are all tips in preorder. ``samples`` names the rows. Answers are of
        pandas where samples have names.

        A sample without counts has 0. The length above the root does not count unless
        ``root_length``. ``ignore_missing`` leaves out tips that the tree lacks.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.faith_pd([[5, 1, 0], [0, 0, 2]])
        array([6., 4.])
        >>> tree.faith_pd([[7]], tips=["b"])
        array([5.])
        """
        found = _diversity.Counts(self._core, counts, samples, tips, ignore_missing)
        return _diversity.faith_pd(self._core, found, self._lengths(lengths), root_length, threads)

    def unifrac(
        self,
        counts: Any,
        metric: str = "unweighted",
        *,
        alpha: float = _palmette.DEFAULT_ALPHA,
        order: float = _palmette.DEFAULT_KR_ORDER,
        samples: Sequence[Any] | None = None,
        tips: Any = None,
        lengths: bool | ArrayLike = True,
        root_length: bool = False,
        ignore_missing: bool = False,
        threads: int | None = None,
    ) -> Any:
        """The distances between all pairs of samples, as a square matrix.

        ``metric`` is ``unweighted``, ``weighted``, ``weighted-normalised``, ``generalised`` with
        ``alpha`` from 0 to 1, or ``kr`` (Kantorovich and Rubinstein) with ``order`` from 1. Counts may
        be fractions: only shares matter. The other arguments are those of :meth:`faith_pd`.

        A sample without counts is 1 from all others and 0 from another such one; by ``weighted`` and
        ``kr`` its distance is that of the other to no mass at all.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> tree.unifrac([[5, 5, 0], [1, 0, 1]], "weighted")
        array([[0. , 4.5],
               [4.5, 0. ]])
        """
        found = _diversity.Counts(self._core, counts, samples, tips, ignore_missing)
        given = (metric, (alpha, order), self._lengths(lengths), root_length, threads)
        return _diversity.unifrac(self._core, found, *given)

    # Edits

    def subtree(self, *vertices: Any) -> Tree:
        """The tree below a vertex, or below the lowest common ancestor of several.

        This and all other edits return a new tree, numbered in preorder, with the labels, lengths
        and supports of the old one; its :attr:`origin` says which vertex each one was. Vertices are
        numbers or labels, or arrays of them.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2)x:3,(c:4,d:5)y:6)r;")
        >>> tree.subtree("a", "b").labels
        ['x', 'a', 'b']
        """
        return Tree(self._core.subtree(self._set(vertices)))

    def prune(self, keep: Any = None, drop: Any = None, *, suppress: bool = True) -> Tree:
        """The tree of the tips to keep, or of all but those to drop.

        An inner vertex stands for all tips below it. ``suppress`` removes vertices that have one
        child and adds lengths, which makes the lowest common ancestor of the tips the root.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2)x:3,(c:4,d:5)y:6)r;")
        >>> pruned = tree.prune(drop=["b"])
        >>> pruned.labels, pruned.lengths, pruned.origin
        (['r', 'a', 'y', 'c', 'd'], array([0., 4., 6., 4., 5.]), array([0, 2, 4, 5, 6]))
        """
        if (keep is None) == (drop is None):
            raise TypeError("pass keep or drop")
        chosen = self._set((drop if keep is None else keep,))
        way = "suppress" if suppress else "keep"
        return Tree(self._core.prune(chosen, keep is not None, way))

    def reroot(
        self,
        *,
        midpoint: bool = False,
        outgroup: Any = None,
        min_variance: bool = False,
        at: Any = None,
        fraction: float = 0.5,
    ) -> Tree:
        """The tree with its root elsewhere: in the middle of the longest path between tips, between
        an ``outgroup`` and all other tips, where the variance of the distances to the tips is
        least, or on the branch ``at`` a vertex.

        ``fraction`` is the share of the branch on the side of the outgroup or vertex. An old root
        with two children goes, and its two branches become one. Supports stay with their branches.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):3,c:4);")
        >>> rooted = tree.reroot(outgroup="b")
        >>> rooted.labels, rooted.lengths
        (['#0', 'b', '#2', 'a', 'c'], array([0., 1., 1., 1., 7.]))
        """
        ways = [("midpoint", midpoint), ("min-variance", min_variance)]
        chosen: list[tuple[str, tuple[Any, ...]]] = [(name, ()) for name, wanted in ways if wanted]
        chosen += [(n, (x,)) for n, x in (("outgroup", outgroup), ("at", at)) if x is not None]
        if len(chosen) != 1:
            raise TypeError("pass one of midpoint, outgroup, min_variance and at")
        (way, vertices), = chosen
        return Tree(self._core.reroot(way, self._set(vertices), float(fraction)))

    def unroot(self) -> Tree:
        """The tree with at least three branches at the top: one child of a root with two goes."""
        return Tree(self._core.reroot("unroot", self._set(()), 0.5))

    def ladderize(self, order: str = "ascending") -> Tree:
        """The tree with children by their number of tips, ``ascending`` or ``descending``; ties stay
        in their order.

        >>> palmette.Tree.from_newick("((a,b),c);").ladderize().labels
        ['#0', 'c', '#2', 'a', 'b']
        """
        if order not in ("ascending", "descending"):
            raise ValueError(f"order: expected ascending or descending, found {order!r}")
        return Tree(self._core.reordered(order))

    def sort(self) -> Tree:
        """The tree with children by the smallest label of a tip below, in the order of bytes.

        >>> palmette.Tree.from_newick("((c,b),a);").sort().labels
        ['#0', 'a', '#2', 'b', 'c']
        """
        return Tree(self._core.reordered("sort"))

    def collapse(
        self,
        *,
        shorter_than: float | None = None,
        support_below: float | None = None,
        lengths: str = "add",
    ) -> Tree:
        """The tree without inner branches that are short or have little support, whose lower ends
        become one with their parents.

        ``lengths="add"`` adds their lengths to the branches below, which keeps distances to the root;
        ``"drop"`` drops them. Both limits are strict; branches without support stay.

        >>> tree = palmette.Tree.from_newick("((a:1,b:2):0.5,c:4);")
        >>> tree.collapse(shorter_than=0.75).lengths
        array([0. , 1.5, 2.5, 4. ])
        """
        if shorter_than is None and support_below is None:
            raise TypeError("pass shorter_than or support_below")
        return Tree(self._core.collapse(shorter_than, support_below, lengths))

    def resolve(self, method: str = "comb", *, seed: int = _palmette.DEFAULT_SEED) -> Tree:
        """The tree with at most two children everywhere: new branches have length 0.

        ``method`` is ``comb``, ``balanced``, or ``random`` with a ``seed``.

        >>> palmette.Tree.from_newick("(a,b,c);").resolve().parents
        array([-1,  0,  1,  1,  0])
        """
        return Tree(self._core.resolve(method, whole(seed, "seed")))

    def rename(self, names: Mapping[Any, str]) -> Tree:
        """The tree with other labels for some vertices, from a dictionary of old and new ones.

        >>> palmette.Tree.from_newick("(a,b);").rename({"a": "b", "b": "a"}).labels
        ['#0', 'b', 'a']
        """
        keys = list(names)
        vertices = [int(self._vertices(key, "names").reshape(-1)[0]) for key in keys]
        if len(set(vertices)) < len(vertices):
            raise ValueError("names: a vertex is renamed twice")
        array = np.array(vertices, np.int64)
        return Tree(self._core.renamed(array, [str(names[key]) for key in keys]))

    def graft(
        self,
        other: Tree,
        *,
        below: Any = None,
        above: Any = None,
        fraction: float = 0.5,
    ) -> Tree:
        """The tree with another one hung into it: ``below`` a vertex, as its last child, or on the
        branch ``above`` one, with this fraction of it below the new vertex.

        >>> cherry = palmette.Tree.from_newick("(c,d)y;")
        >>> palmette.Tree.from_newick("(a,b)x;").graft(cherry, above="b").labels
        ['x', 'a', '#2', 'b', 'y', 'c', 'd']
        """
        if (below is None) == (above is None):
            raise TypeError("pass below or above")
        place = self._set((above if below is None else below,))
        if place.size != 1:
            raise ValueError("pass one vertex")
        where = (int(place[0]), below is None, float(fraction))
        return Tree(self._core.graft(other._core, *where))

    def _set(self, vertices: tuple[Any, ...]) -> Integers:
        """Vertices in one row."""
        found = [self._vertices(x, "vertices").reshape(-1) for x in vertices]
        return np.concatenate([np.zeros(0, np.int64), *found])

    def layout(
        self,
        curve: str = _palmette.DEFAULT_CURVE,
        order: str = _palmette.DEFAULT_ORDER,
        *,
        grid: tuple[int, int] | None = None,
        seed: int = _palmette.DEFAULT_SEED,
        time_limit: float = _palmette.DEFAULT_TIME_LIMIT,
        threads: int | None = None,
    ) -> Layout:
        """Places the vertices on a grid of processors: numbered in an order, laid along a curve.

        ``seed`` and ``time_limit`` (seconds) are for the order ``refined``.

        >>> layout = palmette.Tree.from_parents([-1, 0, 0, 1]).layout()
        >>> layout.x, layout.y, layout.energy
        (array([0, 1, 0, 1]), array([0, 1, 1, 0]), 4)
        """
        options = (grid_of(grid), whole(seed, "seed"), float(time_limit), threads_of(threads))
        return Layout(self._core.layout(curve, order, *options))

    # Drawings

    def draw(
        self,
        *,
        layout: str = "rectangular",
        colour: Any = None,
        colour_name: str = "value",
        highlight: Any = None,
        collapse: Any = None,
        rows: int | None = None,
        lengths: bool = True,
        unit: str = "",
        dots: float | None = None,
    ) -> Picture:
        """A drawing of a tree of any size: ``rectangular`` or ``circular``, where large clades are
        triangles.

        ``colour`` colours branches: ``"support"``, ``"length"``, numbers or words by vertex, or a mapping
        from vertices or labels to them; inner vertices without one have the mean, or the word, of their
        tips. ``colour_name`` is what the key calls it. ``highlight`` marks clades: a label, several, or a
        mapping from labels to words. ``collapse`` names clades to collapse. At most ``rows`` tips and
        triangles are drawn. ``dots`` is the support from which a branch gets a dot.

        >>> tree = palmette.Tree.from_newick("((Homo:6,Pan:6)Hominini:2,Gorilla:8);")
        >>> tree.draw(colour={"Homo": "land", "Pan": "trees"}, highlight="Hominini")
        <Picture of newick>
        """
        options = (layout, colour, colour_name, highlight, collapse, rows, lengths, unit, dots)
        return Picture(self._core.name, self._drawn(*options, False))

    def page(
        self,
        path: str | os.PathLike[str],
        *,
        colour: Any = None,
        colour_name: str = "value",
        lengths: bool = True,
        unit: str = "",
    ) -> None:
        """Writes a page to look around in the tree: pan, zoom, search a name, collapse clades. It is one
        file that fetches nothing; a tree of 10^6 tips takes about 13 MB. ``colour`` is as in
        :meth:`draw`.
        """
        layout, none = "rectangular", None
        options = (layout, colour, colour_name, none, none, none, lengths, unit, none)
        text = self._drawn(*options, True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def _drawn(
        self,
        layout: str,
        colour: Any,
        colour_name: str,
        highlight: Any,
        collapse: Any,
        tips: int | None,
        lengths: bool,
        unit: str,
        support: float | None,
        page: bool,
    ) -> str:
        def vertex(key: Any) -> int:
            return self.vertex(key) if isinstance(key, str) else int(indices(key, "vertex"))

        name, numbers, words = _draw.colours(colour, colour_name, len(self), vertex)
        marked = _draw.clades(highlight, vertex)
        closed = [v for v, _ in _draw.clades(collapse, vertex)]
        limit = None if tips is None else whole(tips, "tips")
        return self._core.draw(
            layout, name, numbers, words, marked, closed, limit, lengths, unit, support, page
        )


def _parents(array: AnyArray) -> Integers:
    """Parents of 64 bits."""
    if array.dtype.kind not in "iu" and array.dtype.kind != "O":
        raise wrong("parents", "integers", array)
    try:
        return indices(array, "parents")
    except IndexError as error:
        raise ValueError(str(error)) from None


__all__ = ["Layout", "Tree"]
