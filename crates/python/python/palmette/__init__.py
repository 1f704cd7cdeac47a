"""palmette: fast algorithms on large trees, sparse graphs and meshes.

>>> import numpy as np
>>> import palmette
>>> tree = palmette.Tree.from_parents(np.array([2, 0, -1, 2]))
>>> tree.leaffix(np.array([1, 10, 100, 1000]))
array([  11,   10, 1111, 1000])
>>> tree.lca(1, 3)
2

========================  =====================================================
:class:`Tree`             aggregates over subtrees and root paths, ancestors,
                          distances, layouts on grids of processors
:class:`Graph`            spectral skeletons, fast solves, effective resistances,
                          preconditioners for scipy; :class:`DynamicSparsifier` follows
                          a graph that changes
:class:`Mesh`             parts, and parts placed on machines
:mod:`palmette.spatial`   programs on a simulated spatial computer
:mod:`palmette.power`     drops and transients of chips' grids, power flow of feeders
:func:`pcoa`              principal coordinates of distances
:func:`distance_map`      distances as a map of colours
:func:`leaffix`           one aggregate from an array of parents, without a tree; also
                          :func:`rootfix`
:class:`Operator`         your own operators
:func:`to_arrow`          results for pyarrow, polars, pandas and DuckDB
========================  =====================================================

It works on numpy arrays, scipy matrices, and tables of pyarrow, polars, pandas and DuckDB. Calls
use all cores, release the interpreter's lock, and can be interrupted with Ctrl-C: see
``docs/python.md``.
"""

from palmette import power, spatial
from palmette._diversity import Pcoa, distance_map, pcoa
from palmette._memory import get_kept_memory, set_kept_memory
from palmette._palmette import ConvergenceError, __version__
from palmette._threads import get_threads, set_threads
from palmette.arrow import ArrowTable, to_arrow
from palmette.dynamic import DynamicSparsifier
from palmette.graph import (
    EdgeResistances, FocalCurrents, Graph, MinimumCut, SolveInfo, Solver, Sparsifier, solve_sdd
)
from palmette.mesh import Mapping, Mesh, Partition
from palmette.once import leaffix, rootfix
from palmette.operators import Operator, operators
from palmette.picture import Picture
from palmette.parsimony import Parsimony
from palmette.phylogeny import compare, compare_all, consensus
from palmette.record import Record
from palmette.tree import Layout, Tree

__all__ = [
    "ArrowTable",
    "ConvergenceError",
    "DynamicSparsifier",
    "EdgeResistances",
    "FocalCurrents",
    "Graph",
    "Layout",
    "Mapping",
    "Mesh",
    "MinimumCut",
    "Operator",
    "Parsimony",
    "Partition",
    "Pcoa",
    "Picture",
    "Record",
    "SolveInfo",
    "Solver",
    "Sparsifier",
    "Tree",
    "__version__",
    "compare",
    "compare_all",
    "consensus",
    "distance_map",
    "get_kept_memory",
    "get_threads",
    "leaffix",
    "operators",
    "pcoa",
    "power",
    "rootfix",
    "set_kept_memory",
    "set_threads",
    "solve_sdd",
    "spatial",
    "to_arrow",
]
