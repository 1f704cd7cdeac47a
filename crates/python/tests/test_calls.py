"""Sums in the order of the vertices: every numbering, type, shape, and memory of the caller's."""

import numpy as np
import pytest

import palmette


def numbered(how, n=3000):
    """Parents of a random tree, numbered in a way."""
    random = np.random.default_rng(7)
    parents = (random.random(n) * np.arange(n)).astype(np.int64)
    parents[0] = -1
    if how == "preorder":
        tree = palmette.Tree.from_parents(parents)
        number = np.empty(n, np.int64)
        number[tree.preorder] = np.arange(n)
    elif how == "shuffled":
        number = random.permutation(n)
    else:
        number = np.arange(n)
    found = np.full(n, -1)
    found[number[1:]] = number[parents[1:]]
    return found


def expected(parents, values, way):
    """The same by plain loops."""
    sums = values.astype(np.float64)
    depth = np.zeros(len(parents), int)
    tree = palmette.Tree.from_parents(parents)
    order = tree.preorder
    for v in order:
        if parents[v] >= 0:
            depth[v] = depth[parents[v]] + 1
            if way == "rootfix":
                sums[v] += sums[parents[v]]
    if way == "leaffix":
        for v in order[::-1]:
            if parents[v] >= 0:
                sums[parents[v]] += sums[v]
    return sums


HOW = ["preorder", "parents first", "shuffled"]
WAYS = ["leaffix", "rootfix"]
KINDS = ["f8", "f4", "i8", "u8", "i4", "i2", "u4", "?"]


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("way", WAYS)
def test_every_order_and_type(how, way):
    parents = numbered(how)
    tree = palmette.Tree.from_parents(parents)
    call = getattr(tree, way)
    base = np.random.default_rng(1).integers(0, 2, len(parents))
    answer = expected(parents, base, way)
    for kind in KINDS:
        values = base.astype(kind)
        found = call(values)
        wide = {"f": "f" + str(values.dtype.itemsize), "u": "u8"}.get(values.dtype.kind, "i8")
        assert found.dtype == np.dtype(wide)
        np.testing.assert_array_equal(found, answer)
        np.testing.assert_array_equal(call(values, threads=2), answer)
        out = np.zeros(len(parents), wide)
        assert call(values, out=out) is out
        np.testing.assert_array_equal(out, answer)
        moved = tree.in_preorder(values)
        np.testing.assert_array_equal(moved, values[tree.preorder])
        in_order = call(moved, order="preorder")
        np.testing.assert_array_equal(tree.by_vertex(in_order), answer)
        np.testing.assert_array_equal(call(values, scope="exclusive") + base, answer)


@pytest.mark.parametrize("how", HOW)
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("shape", [(1,), (3,), (16,), (70,), (2, 3)])
def test_columns(how, way, shape):
    parents = numbered(how, 500)
    tree = palmette.Tree.from_parents(parents)
    call = getattr(tree, way)
    for kind in ["f8", "f4", "i8", "u8", "i4"]:
        values = np.random.default_rng(2).integers(0, 9, (500, *shape)).astype(kind)
        found = call(values)
        assert found.shape == values.shape
        flat, columns = values.reshape(500, -1), found.reshape(500, -1)
        for k in range(flat.shape[1]):
            np.testing.assert_array_equal(columns[:, k], call(np.ascontiguousarray(flat[:, k])))
        out = np.empty_like(found)
        assert call(values, out=out) is out
        np.testing.assert_array_equal(out, found)
        np.testing.assert_array_equal(call(values.copy(order="F")), found)
        if len(shape) == 1 and shape[0] > 1:
            with pytest.raises(ValueError, match="contiguous"):
                call(values, out=np.empty_like(found, order="F"))
        moved = np.ascontiguousarray(values[tree.preorder])
        np.testing.assert_array_equal(call(moved, order="preorder"), found[tree.preorder])


def test_columns_that_do_not_fit_or_are_not_finite():
    tree = palmette.Tree.from_parents([-1, 0, 0])
    large = np.array([[1, 2**62], [1, 2**62], [1, 2**62]])
    with pytest.raises(ValueError, match="does not fit"):
        tree.leaffix(large)
    assert tree.leaffix(large, wrapping=True)[0, 1] == 3 * 2**62 - 2**64
    with pytest.warns(RuntimeWarning, match="1 sums of finite values overflow"):
        tree.leaffix(np.array([[1e308, 1], [1e308, 2], [0, 3]]))
    with pytest.raises(ValueError, match="wrapping"):
        tree.leaffix(np.ones((3, 2)), wrapping=True)


def test_out_that_does_not_fit():
    tree = palmette.Tree.from_parents([-1, 0, 0])
    values = np.ones(3)
    with pytest.raises(ValueError, match="out: expected an array of shape"):
        tree.leaffix(values, out=np.empty(4))
    with pytest.raises(ValueError, match="out has the type i64, and the answers are f64"):
        tree.leaffix(values, out=np.empty(3, int))
    with pytest.raises(TypeError, match="out: expected an array of int64"):
        tree.leaffix(values, out=np.empty(3, np.int32))
    with pytest.raises(ValueError, match="shares no memory"):
        tree.leaffix(values, out=values)
    with pytest.raises(ValueError, match="shares no memory"):
        both = np.ones(5)
        tree.leaffix(both[:3], out=both[1:4])
    with pytest.raises(ValueError, match="contiguous"):
        tree.leaffix(values, out=np.empty(6)[::2])
    fixed = np.empty(3)
    fixed.flags.writeable = False
    with pytest.raises(ValueError, match="written"):
        tree.leaffix(values, out=fixed)
    with pytest.raises(ValueError, match="out"):
        tree.leaffix(values, out=[0, 0, 0])
    with pytest.raises(TypeError, match="out"):
        tree.leaffix(values, op=max, identity=0.0, out=np.empty(3))
    with pytest.raises(ValueError, match="order: expected vertex or preorder"):
        tree.leaffix(values, order="postorder")
    out = np.empty(3)
    assert tree.leaffix(values, op="max", out=out) is out
    assert out.tolist() == [1, 1, 1]


def test_memory_is_kept_and_never_shared():
    tree = palmette.Tree.from_parents(np.arange(200_000) - 1)
    first = tree.leaffix(np.ones(200_000))
    place = first.ctypes.data
    kept = first.copy()
    second = tree.leaffix(np.full(200_000, 2.0))
    assert second.ctypes.data != place
    np.testing.assert_array_equal(first, kept)
    view = first[10:20]
    del first
    third = tree.leaffix(np.full(200_000, 3.0))
    np.testing.assert_array_equal(view, kept[10:20])
    del view
    fourth = tree.leaffix(np.full(200_000, 4.0))
    assert fourth.ctypes.data == place, "what was freed is used again"
    assert third[0] == 600_000 and fourth[0] == 800_000
    before = palmette.get_kept_memory()
    palmette.set_kept_memory(0)
    assert palmette.get_kept_memory() == 0
    palmette.set_kept_memory(before)
    with pytest.raises(ValueError, match="bytes"):
        palmette.set_kept_memory(-1)
    fourth[:] = 1
    assert fourth.flags.writeable


def test_pairs_are_checked_where_they_are_used():
    tree = palmette.Tree.from_parents(numbered("shuffled", 40_000))
    u, v = np.random.default_rng(4).integers(0, 40_000, (2, 30_000))
    one, many = tree.lca(u, v, threads=1), tree.lca(u, v)
    np.testing.assert_array_equal(one, many)
    assert [tree.lca(int(a), int(b)) for a, b in zip(u[:50], v[:50])] == one[:50].tolist()
    v[29_999] = 40_000
    for query in [tree.lca, tree.distance]:
        with pytest.raises(IndexError, match="v: expected vertices from 0 to 39999, found 40000"):
            query(u, v)
