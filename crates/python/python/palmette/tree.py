"""Trees. Most of this file is docstrings; what they describe is in the extension."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, DTypeLike

from palmette import _build, _palmette
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


class Tree:
    """A rooted tree, or a forest. Vertices are numbers from 0; trees from files also have labels.

    What a tree was made from is an attribute (:attr:`parents`, :attr:`roots`, :attr:`preorder`,
    :attr:`labels`, :attr:`lengths`); what is computed over it is a method.

    Trees are made by :meth:`from_parents`, :meth:`from_newick`, :meth:`read`,
    :meth:`from_arrow`, :meth:`from_networkx` and :meth:`from_scipy`.

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
        threads: int | None = None,
    ) -> Tree:
        """A tree from a text in Newick's format, or from a file of that format.

        A string with a parenthesis or a semicolon is a text, anything else a file name. ``tree``
        chooses one of several trees by its number, or ``"all"`` of them as a forest;
        ``missing_length`` is the branch length of vertices without one, in a tree where others have
        one.

        >>> palmette.Tree.from_newick("(a,(b,c)x)r;").labels
        ['r', 'a', 'x', 'b', 'c']
        """
        choice = None if tree is None else str(tree)
        options = (choice, None, False, forest, missing_length, threads_of(threads))
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
        threads: int | None = None,
    ) -> Tree:
        """A tree from a file: Newick, a table of parents (CSV, TSV, Parquet, Arrow), an edge list
        or a ``.npy`` array.

        The format is found from the name, then from the content; gzip and zstd are decompressed.
        ``header`` says whether the first row of a table is a header, if that is ambiguous.
        """
        choice = None if tree is None else str(tree)
        options = (format, choice, header, self_root, forest, missing_length, threads_of(threads))
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
        return json.loads(self._core.shape_measures())

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
        return json.loads(self._core.clock_line(dict(zip(members.tolist(), map(float, dates.values())))))

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


def _parents(array: AnyArray) -> Integers:
    """Parents of 64 bits."""
    if array.dtype.kind not in "iu" and array.dtype.kind != "O":
        raise wrong("parents", "integers", array)
    try:
        return indices(array, "parents")
    except IndexError as error:
        raise ValueError(str(error)) from None


__all__ = ["Layout", "Tree"]
