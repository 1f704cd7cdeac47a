"""Trees of other packages, and back: by what their nodes have, so that none is needed at import.

All walks have stacks of their own: trees may be deeper than Python's recursion.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from palmette._arrays import Integers, need

if TYPE_CHECKING:
    from palmette._tree_facts import Facts

Parts = tuple[Integers, list[str], "list[float] | None", list[Any]]


def _walk(
    root: Any,
    children: Callable[[Any], Iterable[Any]],
    label: Callable[[Any], Any],
    length: Callable[[Any], Any],
    missing_length: float | None,
) -> Parts:
    """Parents, labels, lengths and the nodes themselves, in preorder."""
    parents: list[int] = []
    nodes: list[Any] = []
    waiting = [(root, -1)]
    while waiting:
        node, parent = waiting.pop()
        vertex = len(nodes)
        nodes.append(node)
        parents.append(parent)
        waiting.extend((child, vertex) for child in reversed(list(children(node))))
    labels = ["" if text is None else str(text) for text in map(label, nodes)]
    found = [length(node) for node in nodes]
    without = [v for v in range(1, len(nodes)) if found[v] is None]
    lengths = None
    if len(without) < len(nodes) - 1 or (len(nodes) == 1 and found[0] is not None):
        if without and missing_length is None:
            name = labels[without[0]] or f"#{without[0]}"
            raise ValueError(
                f"{name} has no branch length, although others have one; pass missing_length"
            )
        other = 0.0 if missing_length is None else float(missing_length)
        lengths = [other if x is None else float(x) for x in found]
        if found[0] is None:
            lengths[0] = 0.0
    return np.array(parents, np.int64), labels, lengths, nodes


def _attribute(x: Any, names: tuple[str, ...], what: str) -> Any:
    """The first attribute that an object has."""
    for name in names:
        if hasattr(x, name):
            return getattr(x, name)
    raise TypeError(f"expected a tree of {what}, found {type(x).__name__}")


def of_dendropy(tree: Any, missing_length: float | None) -> Parts:
    root = _attribute(tree, ("seed_node",), "DendroPy")

    def label(node: Any) -> Any:
        taxon = getattr(node, "taxon", None)
        return taxon.label if taxon is not None else node.label

    return _walk(root, lambda n: n.child_nodes(), label, lambda n: n.edge_length, missing_length)


def of_treeswift(tree: Any, missing_length: float | None) -> Parts:
    root = _attribute(tree, ("root",), "treeswift")
    return _walk(
        root, lambda n: n.children, lambda n: n.label, lambda n: n.edge_length, missing_length
    )


def of_skbio(tree: Any, missing_length: float | None) -> Parts:
    _attribute(tree, ("children",), "scikit-bio")
    return _walk(tree, lambda n: n.children, lambda n: n.name, lambda n: n.length, missing_length)


def of_ete(tree: Any, missing_length: float | None) -> tuple[Parts, list[float] | None]:
    """Support, too, which ete has beside names; 1 everywhere is what it gives to trees without."""
    _attribute(tree, ("children",), "ete")
    parts = _walk(tree, lambda n: n.children, lambda n: n.name, lambda n: n.dist, missing_length)
    found = [getattr(node, "support", None) if node.children else None for node in parts[3]]
    if all(x is None or x == 1 for x in found):
        return parts, None
    return parts, [np.nan if x is None else float(x) for x in found]


def _texts(tree: Facts) -> list[str | None]:
    """What vertices are called elsewhere: labels, or support."""
    labels: list[str | None] = [text or None for text in tree._core.own_labels()]
    support = tree.support
    if support is not None:
        for v in np.flatnonzero(~np.isnan(support)):
            if labels[v] is None:
                number = float(support[v])
                labels[v] = str(int(number)) if number.is_integer() else repr(number)
    return labels


def _build(tree: Facts, make: Callable[[int], Any], join: Callable[[Any, Any], Any]) -> Any:
    """The root of other nodes; `join` hangs a child below its parent, in order."""
    if tree._core.root_count != 1:
        raise ValueError(f"expected one tree, found a forest with {tree._core.root_count} roots")
    parents = tree.parents
    nodes: dict[int, Any] = {}
    root = None
    for v in tree.preorder.tolist():
        nodes[v] = make(v)
        if parents[v] < 0:
            root = nodes[v]
        else:
            join(nodes[int(parents[v])], nodes[v])
    return root


def _lengths(tree: Facts) -> list[float | None]:
    """By vertex; a root without one has none."""
    if tree.lengths is None:
        return [None] * len(tree)
    found: list[float | None] = tree.lengths.tolist()
    for root in tree.roots.tolist():
        if found[root] == 0.0:
            found[root] = None
    return found


def to_dendropy(tree: Facts) -> Any:
    dendropy = need("dendropy", "to_dendropy")
    labels, lengths = _texts(tree), _lengths(tree)
    is_tip = np.zeros(len(tree), bool)
    is_tip[tree.tips] = True
    names = dendropy.TaxonNamespace()
    taxa: dict[str, Any] = {}

    def make(v: int) -> Any:
        node = dendropy.Node(edge_length=lengths[v])
        text = labels[v]
        if is_tip[v] and text is not None:
            if text not in taxa:
                taxa[text] = names.new_taxon(label=text)
            node.taxon = taxa[text]
        else:
            node.label = text
        return node

    root = _build(tree, make, lambda parent, child: parent.add_child(child))
    return dendropy.Tree(taxon_namespace=names, seed_node=root)


def to_treeswift(tree: Facts) -> Any:
    treeswift = need("treeswift", "to_treeswift")
    labels, lengths = _texts(tree), _lengths(tree)
    made = treeswift.Tree()
    make = lambda v: treeswift.Node(label=labels[v], edge_length=lengths[v])  # noqa: E731
    made.root = _build(tree, make, lambda parent, child: parent.add_child(child))
    return made


def to_skbio(tree: Facts) -> Any:
    skbio = need("skbio", "to_skbio")
    labels, lengths = _texts(tree), _lengths(tree)

    def join(parent: Any, child: Any) -> None:
        # Its own way looks at all ancestors.
        child.parent = parent
        parent.children.append(child)

    return _build(tree, lambda v: skbio.TreeNode(name=labels[v], length=lengths[v]), join)


def to_ete(tree: Facts) -> Any:
    try:
        ete = need("ete4", "to_ete")
    except ImportError:
        ete = need("ete3", "to_ete")
    labels, lengths, support = tree._core.own_labels(), _lengths(tree), tree.support

    def make(v: int) -> Any:
        node = ete.Tree()
        node.name = labels[v]
        if lengths[v] is not None:
            node.dist = lengths[v]
        if support is not None and not np.isnan(support[v]):
            node.support = float(support[v])
        return node

    return _build(tree, make, lambda parent, child: parent.add_child(child))


def to_networkx(tree: Facts) -> Any:
    networkx = need("networkx", "to_networkx")
    graph = networkx.DiGraph()
    names: list[Any] = tree._core.names() if tree._core.has_labels else list(range(len(tree)))
    support, lengths = tree.support, tree.lengths
    labels = tree._core.own_labels() if tree._core.has_labels else None
    for v in tree.preorder.tolist():
        known: dict[str, Any] = {} if labels is None else {"label": labels[v]}
        if support is not None and not np.isnan(support[v]):
            known["support"] = float(support[v])
        graph.add_node(names[v], **known)
    parents = tree.parents.tolist()
    for v in tree.preorder.tolist():
        if parents[v] >= 0:
            more = {} if lengths is None else {"length": float(lengths[v])}
            graph.add_edge(names[parents[v]], names[v], **more)
    return graph
