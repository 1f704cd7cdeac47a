"""Trees: the class, put together from its themes.

Most of these files is docstrings; what they describe is in the extension.
"""

from palmette._tree_aggregates import Aggregates
from palmette._tree_drawings import Drawings
from palmette._tree_edits import Edits
from palmette._tree_leaving import Leaving
from palmette._tree_making import Making
from palmette._tree_phylogeny import Phylogeny
from palmette._tree_queries import Queries
from palmette.layout import Layout


class Tree(Making, Leaving, Aggregates, Queries, Phylogeny, Edits, Drawings):
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


__all__ = ["Layout", "Tree"]
