"""Edits: new trees with the names, lengths and origins of old ones."""

import numpy as np
import pytest

from palmette import Tree

NEWICK = "(((a:1,b:2)x:3,c:4)y:5,(d:6,e:7)z:8)r;"


@pytest.fixture
def tree():
    return Tree.from_newick(NEWICK)


def heights(tree):
    """Distances from the root to the tips, by label."""
    depth = tree.depth(lengths=True)
    return {tree.label(v): depth[v] for v in np.flatnonzero(tree.sizes() == 1)}


def test_origin_carries_columns(tree):
    values = np.arange(len(tree)) * 10
    pruned = tree.prune(keep=["a", "d", "e"])
    assert pruned.labels == ["r", "a", "z", "d", "e"]
    assert (values[pruned.origin] == [0, 30, 60, 70, 80]).all()
    rooted = tree.reroot(outgroup=["a", "b"])
    assert rooted.origin[0] == -1 and rooted.label(0) == "#0"
    assert tree.origin is None and tree.support is None


def test_rerooting_keeps_distances(tree):
    for other in (
        tree.reroot(midpoint=True),
        tree.reroot(min_variance=True),
        tree.reroot(outgroup="c"),
        tree.reroot(at="a", fraction=0.0),
        tree.unroot(),
    ):
        for u in "abcde":
            for v in "abcde":
                assert other.distance(u, v) == tree.distance(u, v)
    assert max(heights(tree.reroot(midpoint=True)).values()) == 12.5


def test_a_tree_without_labels():
    tree = Tree.from_parents([-1, 0, 0, 1, 1])
    pruned = tree.prune(drop=[3])
    assert (pruned.parents == [-1, 0, 0]).all() and (pruned.origin == [0, 4, 2]).all()
    assert tree.rename({3: "x"}).labels == ["0", "1", "2", "x", "4"]


def test_round_trips(tree):
    assert tree.prune(drop=[]).labels == tree.labels
    star = tree.collapse(shorter_than=100)
    assert len(star) == 6 and heights(star) == heights(tree)
    for method in ("comb", "balanced", "random"):
        assert heights(star.resolve(method)) == heights(tree)
        assert len(star.resolve(method)) == 9
    grafted = tree.graft(tree, below="z")
    assert len(grafted) == 18 and (np.sort(grafted.origin) == np.arange(18)).all()


def test_errors(tree):
    with pytest.raises(ValueError, match="no clade.*`b`"):
        tree.reroot(outgroup=["a", "c"])
    with pytest.raises(ValueError, match="nobody"):
        tree.prune(keep=["nobody"])
    with pytest.raises(ValueError, match="no tips"):
        tree.prune(keep=[])
    with pytest.raises(ValueError, match="between 0 and 1"):
        tree.reroot(at="a", fraction=2)
    with pytest.raises(ValueError, match="no branch lengths"):
        Tree.from_newick("(a,b);").reroot(midpoint=True)
    with pytest.raises(ValueError, match="support"):
        tree.collapse(support_below=50)
    for wrong in (tree.prune, tree.reroot, tree.collapse):
        with pytest.raises(TypeError, match="pass"):
            wrong()
    with pytest.raises(TypeError, match="pass"):
        tree.graft(tree)


def test_deep_trees():
    n = 200_001
    parents = (np.arange(n) - 1) // 2 * 2
    parents[0] = -1
    tree = Tree.from_parents(parents)
    assert len(tree.reroot(at=n - 1)) == n
    assert len(tree.ladderize("descending")) == n
