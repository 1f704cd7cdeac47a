"""One aggregate from an array of parents, without a tree."""

import numpy as np
import pytest
from test_calls import HOW, WAYS, numbered

import palmette
from palmette import Tree


@pytest.fixture
def no_tree(monkeypatch):
    """Makes it an error to build a tree; trees in every order."""
    orders = [numbered(how) for how in HOW]

    def built(*_, **__):
        raise AssertionError("a tree was built")

    monkeypatch.setattr(Tree, "from_parents", built)
    return orders


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("way", WAYS)
def test_answers_are_those_of_a_tree(how, way):
    parents, random = numbered(how), np.random.default_rng(3)
    tree, once = Tree.from_parents(parents), getattr(palmette, way)
    whole = random.integers(-9, 9, len(parents))
    for kind in [np.int32, np.int64, np.uint32]:
        given = parents.astype(kind)
        for values in [whole, whole / 4, whole.astype(np.float32), whole.astype(np.int8)]:
            found, wanted = once(given, values), getattr(tree, way)(values)
            assert np.array_equal(found, wanted) and found.dtype == wanted.dtype
        wide = random.integers(-9, 9, (len(parents), 6))
        assert np.array_equal(once(given, wide), getattr(tree, way)(wide))
    for op in ["min", "max", "xor", "hash", "argmax"]:
        found, wanted = once(parents, whole, op), getattr(tree, way)(whole, op)
        assert np.array_equal(found, wanted), op
    assert np.array_equal(once(parents, op="count"), getattr(tree, way)(op="count"))
    assert np.array_equal(once(parents), getattr(tree, way)())
    exclusive = {"scope": "exclusive", "threads": 1}
    assert np.array_equal(once(parents, whole, **exclusive), getattr(tree, way)(whole, **exclusive))


def test_no_tree_is_built(no_tree):
    for parents in no_tree:
        values = np.ones(len(parents))
        assert palmette.leaffix(parents, values).max() == len(parents)
        assert palmette.leaffix(parents, np.stack([values, values], 1)).shape == (len(parents), 2)
        assert palmette.rootfix(parents, values, "max").max() == 1
        assert palmette.leaffix(parents, op="count").max() == len(parents)


@pytest.mark.parametrize(
    ("parents", "values", "message"),
    [
        ([-1, -1], [1, 2], "pass forest=True"),
        ([1, 0], [1, 2], "cycle of 2 vertices"),
        ([-1, 7], [1, 2], "vertex 1 has parent 7; expected a vertex below 2"),
        (np.array([-1, -7], np.int32), [1, 2], "vertex 1 has parent -7"),
        ([-1, 0], [1, 2, 3], "3 values"),
        ([[-1, 0]], [1, 2], "expected one dimension"),
        ([-1, 0], [2**62, 2**62], "does not fit"),
    ],
)
def test_what_is_wrong_is_named(parents, values, message):
    with pytest.raises(ValueError) as error:
        palmette.leaffix(parents, values)
    assert message in str(error.value)
    if "forest" in message:
        assert palmette.leaffix(parents, values, forest=True).tolist() == [1, 2]
