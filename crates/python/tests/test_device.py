"""Many trees at once, and engines on a graphics processor."""

import numpy as np
import pytest
from conftest import random_parents

from palmette import Tree


def devices() -> bool:
    """Whether this build has devices, and this machine one."""
    try:
        Tree.from_parents([-1, 0]).leaffix([1, 2], engine="gpu")
    except ValueError as error:
        assert "device" in str(error)
        return False
    return True


needs_device = pytest.mark.skipif(not devices(), reason="no device")


def some_trees(count: int) -> list[Tree]:
    return [Tree.from_parents(random_parents(20 + k, k)) for k in range(count)]


def test_trees_are_joined_and_answers_split():
    trees = some_trees(30)
    forest = Tree.join(iter(trees))
    assert len(forest) == sum(map(len, trees)) and len(forest.roots) == 30
    values = [np.random.default_rng(k).standard_normal((len(t), 2)) for k, t in enumerate(trees)]
    answers = forest.split(forest.leaffix(np.concatenate(values)))
    for tree, x, found in zip(trees, values, answers):
        assert (found == tree.leaffix(x)).all()
    assert Tree.join([]).split(np.ones(0)) == []
    with pytest.raises(ValueError, match=r"shape \(3,\) for"):
        forest.split(np.ones(3))


def test_a_file_of_trees_is_split():
    forest = Tree.from_newick("(a,b)r;((c,d)x,e)s;", tree="all")
    assert [list(x) for x in forest.split(forest.sizes())] == [[3, 1, 1], [5, 3, 1, 1, 1]]
    mixed = [Tree.from_newick("(a:1,b:2);"), Tree.from_parents([-1])]
    with pytest.raises(ValueError, match="tree 1 has no branch lengths, and tree 0 has them"):
        Tree.join(mixed)
    assert list(Tree.join(mixed[:1] * 2).lengths) == [0, 1, 2, 0, 1, 2]


@needs_device
@pytest.mark.parametrize("engine", ["gpu", "gpu-trees", "gpu-contract"])
@pytest.mark.parametrize(("op", "dtype"), [("sum", np.int64), ("max", float), ("argmin", np.float32)])
def test_devices_agree(engine, op, dtype):
    forest = Tree.join(some_trees(40))
    values = np.random.default_rng(3).integers(-99, 99, (len(forest), 5)).astype(dtype)
    found = forest.leaffix(values if op != "argmin" else values[:, 0], op=op, engine=engine)
    expected = forest.leaffix(values if op != "argmin" else values[:, 0], op=op)
    assert np.array_equal(found, expected)
    assert found[0].dtype == expected[0].dtype


@needs_device
def test_devices_say_what_they_cannot():
    tree = Tree.from_parents(random_parents(2000, 1))
    assert (tree.rootfix(op="count", engine="gpu") == tree.rootfix(op="count")).all()
    for options, text in [
        ({"engine": "gpu-trees"}, "a tree has 2000 vertices"),
        ({"engine": "gpu", "sum": "exact"}, "host only"),
        ({"engine": "gpu-fast"}, "gpu-fast"),
    ]:
        with pytest.raises(ValueError, match=text):
            tree.leaffix(np.ones(2000, np.float32), **options)
    sums, bounds = tree.leaffix(np.ones(2000, np.float32), engine="gpu", error_bound=True)
    assert sums[tree.roots[0]] == 2000 and (bounds >= 0).all()
