"""Trees: making them, aggregates, queries."""

import networkx
import numpy as np
import pytest
import scipy.sparse
from conftest import random_parents
from hypothesis import given, settings
from hypothesis import strategies as st

import palmette
from palmette import Tree


def by_walking(parents, values, op):
    """A leaffix of a commutative operator: every vertex walks up."""
    found = list(values)
    for v, parent in enumerate(parents):
        while parent >= 0:
            found[parent] = op(found[parent], values[v])
            parent = parents[parent]
    return np.array(found)


def test_types_of_parents_make_the_same_tree():
    parents = random_parents(300, 1)
    expected = Tree.from_parents(parents).sizes()
    assert expected[parents == -1] == 300
    for kind in ("int16", "int32", "int64", ">i4", ">i8", object):
        assert (Tree.from_parents(parents.astype(kind)).sizes() == expected).all(), kind
    for kind in ("uint32", "uint64"):
        assert (Tree.from_parents(parents.astype(kind)).sizes() == expected).all(), kind
    strided = np.zeros(600, np.int32)
    strided[::2] = parents
    frozen = parents.astype(np.int32)
    frozen.setflags(write=False)
    for array in (strided[::2], frozen, parents.tolist(), parents[::-1][::-1]):
        assert (Tree.from_parents(array).sizes() == expected).all()
    own = parents.copy()
    own[parents == -1] = np.flatnonzero(parents == -1)
    for kind in (np.int32, np.int64, np.uint32):
        found = Tree.from_parents(own.astype(kind), self_root=True).sizes()
        assert (found == expected).all(), kind


@pytest.mark.parametrize(
    ("parents", "error", "text"),
    [
        ([1, 2, 0], ValueError, "cycle of 3 vertices"),
        ([-1, -1], ValueError, "forest=True"),
        ([-1, 5], ValueError, "vertex 1 has parent 5"),
        (np.array([-1, -7], np.int32), ValueError, "vertex 1 has parent -7"),
        ([-1, -7], ValueError, "vertex 1 has parent -7"),
        ([-1, 2**40], ValueError, "parent 1099511627776"),
        ([-1, 2**70], ValueError, "1180591620717411303424"),
        ([-1.0, 0.0], TypeError, "expected integers, found float64"),
        (["a", "b"], TypeError, "expected integers"),
        ([[-1, 0]], ValueError, "one dimension"),
        (5, ValueError, "one dimension"),
        (None, TypeError, "found None"),
        ([[1], [2, 3]], ValueError, "array of numbers"),
        (np.array([True, False]), TypeError, "expected integers"),
        (np.array([1j]), TypeError, "expected integers"),
    ],
)
def test_parents_that_make_no_tree(parents, error, text):
    with pytest.raises(error, match=text):
        Tree.from_parents(parents)


def test_empty_and_single_trees():
    empty = Tree.from_parents([])
    assert len(empty) == 0 and len(empty.leaffix(np.array([], float))) == 0
    assert empty.labels == [] and len(empty.parents) == 0
    assert empty.lca([], []).shape == (0,)
    with pytest.raises(IndexError, match="no vertices"):
        empty.lca(0, 0)
    one = Tree.from_parents([-1])
    assert one.rootfix([7]).tolist() == [7] and one.lca(0, 0) == 0
    assert one.layout().energy == 0


@pytest.mark.parametrize("kind", ["int64", "int32", "uint64", "uint8", "float64", "float32", "bool"])
def test_sums_of_every_type(kind):
    parents = random_parents(500, 2)
    values = np.random.default_rng(1).integers(0, 2, 500).astype(kind)
    expected = by_walking(parents, values.astype(int), lambda a, b: a + b)
    tree = Tree.from_parents(parents)
    for engine in ("auto", "sequential", "levels", "euler", "threads", "contract"):
        found = tree.leaffix(values, engine=engine)
        assert (found == expected).all(), engine
    kept = {"int32": "int64", "uint8": "uint64", "bool": "int64"}
    assert found.dtype == kept.get(kind, kind)


def test_arrays_that_are_not_in_one_piece():
    parents = random_parents(50, 3)
    tree = Tree.from_parents(parents)
    values = np.arange(100.0)
    expected = tree.leaffix(values[::2].copy())
    assert (tree.leaffix(values[::2]) == expected).all()
    assert (tree.leaffix(values[::2].astype(">f8")) == expected).all()
    frozen = values[::2].copy()
    frozen.setflags(write=False)
    assert (tree.leaffix(frozen) == expected).all()
    unaligned = np.frombuffer(b"x" + values[::2].tobytes(), np.uint8)[1:].view(np.float64)
    assert (tree.leaffix(unaligned) == expected).all()
    columns = np.stack([values[:50], values[50:]], axis=1)
    both = tree.leaffix(columns)
    assert (both[:, 1] == tree.leaffix(values[50:])).all() and both.shape == (50, 2)


@pytest.mark.parametrize(
    ("values", "error", "text"),
    [
        ([1.0, 2.0], ValueError, "2 values for 3 vertices"),
        ([1j, 2, 3], TypeError, "complex"),
        (["a", "b", "c"], TypeError, "values"),
        ([None, 1, 2], TypeError, "Python objects such as None"),
        ([2**70, 1, 2], TypeError, "Python objects"),
        (np.zeros(3, np.longdouble), TypeError, "at most 64 bits"),
        (np.ma.masked_array([1, 2, 3], [True, False, False]), TypeError, "masked"),
        (np.array(["2020-01-01"] * 3, "M8[D]"), TypeError, "datetime"),
        (np.zeros((2, 2)), ValueError, "2 values for 3 vertices"),
        ([2**62, 2**62, 2**62], ValueError, "does not fit"),
    ],
)
def test_values_that_cannot_be_summed(values, error, text):
    tree = Tree.from_parents([-1, 0, 0])
    with pytest.raises(error, match=text):
        tree.leaffix(values)


def test_floats_that_are_not_finite_and_sums_one_can_trust():
    tree = Tree.from_parents([-1, 0, 1])
    assert np.isnan(tree.leaffix([1.0, np.nan, 2.0])[:2]).all()
    with pytest.warns(RuntimeWarning, match="overflow"):
        tree.leaffix(np.array([1e308, 1e308, 1e308]))
    values = [1.0, 1e100, -1e100]
    assert tree.leaffix(values, sum="plain")[0] in (0.0, 1.0)
    assert tree.leaffix(values, sum="exact")[0] == 1.0
    sums, bounds = tree.leaffix(values, error_bound=True)
    assert abs(sums[0] - 1.0) <= bounds[0]
    assert tree.leaffix([2**62] * 3, wrapping=True)[0] == 3 * 2**62 - 2**64
    with pytest.raises(ValueError, match="sums of integers, not of f64"):
        tree.leaffix(values, wrapping=True)
    with pytest.raises(ValueError, match="'max' takes no wrapping"):
        tree.leaffix([1, 2, 3], op="max", wrapping=True)
    with pytest.raises(ValueError, match="no integer type holds"):
        tree.leaffix([-1, 2**63, 0])


def test_operators_with_names():
    parents = random_parents(200, 5)
    tree = Tree.from_parents(parents)
    values = np.random.default_rng(2).integers(1, 1000, 200)
    assert (tree.leaffix(values, op="min") == by_walking(parents, values, min)).all()
    assert (tree.leaffix(values, op="xor") == by_walking(parents, values, lambda a, b: a ^ b)).all()
    low, where = tree.leaffix(values, op="argmin")
    assert (values[where] == low).all() and (low == tree.leaffix(values, op="min")).all()
    assert (tree.leaffix(op="count") == tree.sizes()).all()
    product = tree.leaffix(values, op="product", modulus=97)
    assert (product == by_walking(parents, values % 97, lambda a, b: a * b % 97)).all()
    maps = np.stack([values, values + 1], axis=1)
    down = tree.rootfix(maps, op="affine", modulus=97)
    assert down.shape == (200, 2)
    matrices = np.stack([values, values, values, values + 1], axis=1).reshape(200, 2, 2)
    found = tree.rootfix(matrices, op="matrix", modulus=97)
    child = int(np.flatnonzero(parents >= 0)[0])
    expected = found[parents[child]] @ matrices[child].astype(np.uint64) % 97
    assert (found[child] == expected).all()
    assert len(set(tree.leaffix(values, op="hash").tolist())) > 150
    exclusive = tree.leaffix(values, scope="exclusive")
    assert (exclusive + values == tree.leaffix(values)).all()
    for bad in ({"op": "mean"}, {"engine": "fast"}, {"scope": "all"}, {"sum": "kahan"}):
        with pytest.raises(ValueError, match="expected"):
            tree.leaffix(values, **bad)
    with pytest.raises(ValueError, match="inverses"):
        tree.leaffix(values, op="min", engine="euler")
    with pytest.raises(ValueError, match="affine takes 2 columns, found 1"):
        tree.leaffix(values, op="affine")


def test_ancestors_distances_and_paths():
    parents = random_parents(400, 7)
    tree = Tree.from_parents(parents)
    above = [[v] for v in range(400)]
    for v in range(400):
        while parents[above[v][-1]] >= 0:
            above[v].append(parents[above[v][-1]])
    random = np.random.default_rng(3)
    u, v = random.integers(0, 400, (2, 1000))
    expected = [next(a for a in above[x] if a in above[y]) for x, y in zip(u, v)]
    assert (tree.lca(u, v) == expected).all()
    assert (tree.lca(u.astype(np.int32), v.astype(np.uint16)) == expected).all()
    depth = tree.depth()
    edges = depth[u] + depth[v] - 2 * depth[expected]
    assert (tree.distance(u, v) == edges).all()
    lengths = random.random(400)
    far = tree.depth(lengths=lengths)
    found = tree.distance(u, v, lengths=lengths)
    np.testing.assert_allclose(found, far[u] + far[v] - 2 * far[expected], atol=1e-12)
    on_edges = tree.path(u, v, lengths, on_edges=True)
    np.testing.assert_allclose(on_edges, found, atol=1e-12)
    grid = tree.lca(u[:10, None], v[None, :20])
    assert grid.shape == (10, 20) and grid[3, 4] == tree.lca(u[3], v[4])
    assert tree.lca(int(u[0]), int(v[0])) == expected[0]
    assert isinstance(tree.distance(1, 2), int)
    w = random.integers(0, 400, 1000)
    three = [next(a for a in above[x] if a in above[y]) for x, y in zip(expected, w)]
    assert (tree.lca(u, v, w) == three).all() and tree.lca(u) == tree.mrca(u)
    assert tree.lca(*range(400)) == tree.roots[0]
    with pytest.raises(TypeError, match="there are no vertices"):
        tree.lca()


@pytest.mark.parametrize(
    ("u", "v", "error", "text"),
    [
        (0, 3, IndexError, "v: expected vertices from 0 to 2, found 3"),
        (-1, 0, IndexError, "u: expected vertices from 0 to 2, found -1"),
        ([0, 1], [0, 1, 2], ValueError, "do not broadcast"),
        (0.5, 0, TypeError, "u: expected integers, found float64"),
        (2**80, 0, IndexError, "u"),
        (np.uint64(2**64 - 1), 0, IndexError, "u"),
        ("a", 0, TypeError, "this tree has no labels"),
        (None, 0, TypeError, "found None"),
        (True, 0, TypeError, "expected integers"),
    ],
)
def test_queries_that_name_no_vertex(u, v, error, text):
    tree = Tree.from_parents([-1, 0, 0])
    with pytest.raises(error, match=text):
        tree.lca(u, v)


def test_forests():
    tree = Tree.from_parents([-1, 0, -1, 2], forest=True)
    assert tree.lca([1, 1], [3, 0]).tolist() == [-1, 0]
    assert tree.lca(1, [3, 0], 0).tolist() == [-1, 0]
    assert tree.distance(1, 3) == -1
    with pytest.raises(IndexError, match="found -1"):
        tree.lca(1, 0, -1)
    assert np.isnan(tree.distance(1, 3, lengths=np.ones(4)))
    assert tree.roots.tolist() == [0, 2]
    with pytest.raises(ValueError, match="no path between"):
        tree.path(1, 3, [1, 2, 3, 4])


def test_labels(tmp_path):
    text = "((a:1,b:2)x:3,(c:4,b2:5):6)r;"
    path = tmp_path / "t.nwk"
    path.write_text(text)
    for tree in (Tree.from_newick(text), Tree.from_newick(path), Tree.from_newick(str(path)),
                 Tree.read(path), Tree.from_newick(text.encode())):
        assert tree.labels == ["r", "x", "a", "b", "#4", "c", "b2"]
        assert tree.label(tree.lca("a", "b")) == "x"
        assert tree.lca(["a", "c"], "b").tolist() == [1, 0]
        assert tree.distance("a", "c", lengths=True) == 14.0
        assert tree.vertex("#4") == 4
        assert tree.lengths.tolist() == [0, 3, 1, 2, 6, 4, 5]
    with pytest.raises(ValueError, match="`nobody` does not name one vertex"):
        tree.lca("a", "nobody")
    with pytest.raises(ValueError, match="several vertices have this label"):
        Tree.from_newick("(a,a);").lca("a", 0)
    with pytest.raises(FileNotFoundError, match="no.nwk: cannot read"):
        Tree.read(tmp_path / "no.nwk")
    with pytest.raises(IsADirectoryError):
        Tree.read(tmp_path)
    with pytest.raises(ValueError, match="line 1, byte"):
        Tree.from_newick("((a,b);")
    with pytest.raises(ValueError, match="length"):
        Tree.from_newick("(a:nan,b:1);")
    partly = Tree.from_newick("(a:1,b);")
    assert partly.lengths is None and partly.distance("a", "b", lengths=False) == 2
    for lengths in (None, True):
        with pytest.raises(ValueError, match="pass missing_length"):
            partly.distance("a", "b", lengths=lengths)
    whole = Tree.from_newick("(a:1,b);", missing_length=2)
    assert whole.distance("a", "b") == whole.distance("a", "b", lengths=True) == 3.0
    assert whole.distance("a", "b", lengths=False) == 2
    assert Tree.from_newick("(a,b);").distance("a", "b") == 2
    both = Tree.from_newick("(a,b);(c,d);", tree="all")
    assert both.lca("a", "d") == -1
    table = tmp_path / "t.csv"
    table.write_text("id,parent\nroot,\nleft,root\n")
    assert Tree.read(table).labels == ["root", "left"]
    # Beside ids, which names are, a column has the labels.
    table.write_text('id,parent,label\n"#0",,0.9\na,"#0",a\n"#2","#0",0.9\n')
    named = Tree.read(table)
    assert named.labels == ["0.9", "a", "0.9"] and named.vertex("#2") == 2
    table.write_text("name,frist\nfirst,\nlast,first\n")
    with pytest.raises(ValueError, match="header=True or header=False"):
        Tree.read(table)
    assert Tree.read(table, header=True).labels == ["first", "last"]


def test_other_packages():
    graph = networkx.balanced_tree(2, 4)
    tree = Tree.from_networkx(graph, root=0)
    assert tree.parents.tolist()[:5] == [-1, 0, 0, 1, 1]
    arborescence = networkx.DiGraph([("r", "a"), ("r", "b"), ("a", "c")])
    networkx.set_edge_attributes(arborescence, 2.5, "length")
    tree = Tree.from_networkx(arborescence, weight="length")
    assert tree.label(tree.lca("c", "b")) == "r"
    assert tree.distance("c", "b", lengths=True) == 7.5
    with pytest.raises(ValueError, match="cycle"):
        Tree.from_networkx(networkx.cycle_graph(4))
    with pytest.raises(ValueError, match="components"):
        Tree.from_networkx(networkx.empty_graph(3))
    with pytest.raises(ValueError, match="two into"):
        Tree.from_networkx(networkx.DiGraph([(0, 2), (1, 2)]))
    with pytest.raises(TypeError, match="graph of networkx"):
        Tree.from_networkx([1, 2])
    weights = scipy.sparse.random_array((40, 40), density=0.5, random_state=1)
    spanning = scipy.sparse.csgraph.minimum_spanning_tree(weights + weights.T)
    tree = Tree.from_scipy(spanning, root=5, lengths=True)
    assert tree.parents[5] == -1 and len(tree) == 40
    path = scipy.sparse.csgraph.shortest_path(spanning, directed=False, indices=5)
    np.testing.assert_allclose(tree.distance(5, np.arange(40), lengths=True), path)
    both = spanning + spanning.T
    assert (Tree.from_scipy(both, root=5).parents == tree.parents).all()
    with pytest.raises(ValueError, match="cycle"):
        Tree.from_scipy(scipy.sparse.coo_array(np.ones((3, 3)) - np.eye(3)))
    with pytest.raises(IndexError, match="root"):
        Tree.from_scipy(spanning, root=40)
    with pytest.raises(TypeError, match="sparse matrix"):
        Tree.from_scipy(np.eye(3))


def test_layouts():
    tree = Tree.from_parents(random_parents(1000, 9))
    layout = tree.layout()
    assert len({*zip(layout.x.tolist(), layout.y.tolist())}) == 1000
    parents = tree.parents
    children = np.flatnonzero(parents >= 0)
    ways = np.abs(layout.x[children] - layout.x[parents[children]])
    ways += np.abs(layout.y[children] - layout.y[parents[children]])
    assert ways.sum() == layout.energy and ways.max() == layout.longest_edge
    assert "<img" in layout._repr_html_() and layout.svg().startswith("<svg")
    assert tree.layout("z", "bfs").energy > layout.energy
    for bad in ({"curve": "snake2"}, {"order": "best"}, {"grid": (2, 2)}, {"grid": (0, 5)},
                {"time_limit": -1}, {"time_limit": float("nan")}):
        with pytest.raises(ValueError):
            tree.layout(**bad)
    with pytest.raises(ValueError, match="grid: expected 1"):
        tree.layout(grid=(-1, 5))
    with pytest.raises(TypeError, match="columns and rows"):
        tree.layout(grid=5)


parent_arrays = st.lists(st.integers(-3, 12) | st.integers(-(2**70), 2**70), max_size=12)


@settings(max_examples=300, deadline=None)
@given(
    parents=parent_arrays,
    kind=st.sampled_from(["int8", "int32", "int64", "uint32", "uint64", "float64", "object"]),
    options=st.fixed_dictionaries({"forest": st.booleans(), "self_root": st.booleans()}),
)
def test_any_parents_give_a_tree_or_an_error(parents, kind, options):
    try:
        array = np.array(parents, dtype=kind)
    except OverflowError:
        array = parents
    try:
        tree = Tree.from_parents(array, **options)
    except (ValueError, TypeError):
        return
    assert tree.leaffix(op="count").sum() == (tree.depth() + 1).sum()


anything = st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=3)


@settings(max_examples=300, deadline=None)
@given(
    values=st.lists(anything, max_size=5) | st.lists(st.floats(), min_size=4, max_size=4),
    op=st.sampled_from([*palmette.operators(), "none", ""]) | anything,
    options=st.fixed_dictionaries(
        {},
        optional={
            "modulus": st.integers(-1, 2**65) | st.none(),
            "engine": st.sampled_from(["auto", "euler", "contract", "x"]),
            "scope": st.sampled_from(["inclusive", "exclusive", "x"]),
            "sum": st.sampled_from(["plain", "exact", "compensated", "x"]),
            "error_bound": st.booleans(),
            "seed": st.integers(-1, 2**65),
            "threads": st.integers(-1, 3),
        },
    ),
)
@pytest.mark.filterwarnings("ignore::RuntimeWarning")
def test_any_aggregate_gives_an_answer_or_an_error(values, op, options):
    tree = Tree.from_parents([-1, 0, 0, 2])
    for way in (tree.leaffix, tree.rootfix):
        try:
            way(values, op=op, **options)
        except (ValueError, TypeError):
            pass


@settings(max_examples=200, deadline=None)
@given(text=st.text("(),;:ab1.'[]# \n", max_size=20), queries=st.lists(anything, max_size=3))
def test_any_newick_gives_a_tree_or_an_error(text, queries):
    try:
        tree = Tree.from_newick(text.encode())
        tree.lca(queries, queries)
        tree.distance(queries, 0, lengths=True)
    except (ValueError, TypeError, IndexError):
        pass
