"""Graphs: skeletons, solves, preconditioners, resistances."""

import numpy as np
import pytest
import scipy.sparse as sparse
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.sparse.linalg import LinearOperator, cg, spsolve

import palmette
from palmette import Graph


def grid(side, ground=0.0, seed=1):
    """The Laplacian of a square grid with random conductances."""
    random = np.random.default_rng(seed)
    number = np.arange(side * side).reshape(side, side)
    ends = [(number[:, :-1].ravel(), number[:, 1:].ravel())]
    ends.append((number[:-1].ravel(), number[1:].ravel()))
    u, v = (np.concatenate(both) for both in zip(*ends))
    weights = 10.0 ** random.uniform(-1, 1, len(u))
    adjacency = sparse.coo_array((weights, (u, v)), shape=(side * side, side * side))
    adjacency = adjacency + adjacency.T
    diagonal = adjacency.sum(axis=1)
    diagonal[0] += ground
    return sparse.csr_array(sparse.diags_array(diagonal) - adjacency)


def test_matrices_come_and_go():
    laplacian = grid(12, ground=2.0)
    graph = Graph.from_scipy(laplacian)
    assert graph.form == "laplacian" and graph.edge_count == 2 * 12 * 11
    np.testing.assert_allclose(graph.laplacian().toarray(), laplacian.toarray(), rtol=1e-12)
    assert graph.ground[0] == pytest.approx(2.0) and (graph.ground[1:] == 0).all()
    weights = graph.adjacency()
    for matrix in (weights, weights.tocoo(), sparse.csc_matrix(weights), weights.toarray()):
        again = Graph.from_scipy(matrix)
        assert again.form == "adjacency" and (again.adjacency() != weights).nnz == 0
    floats = Graph.from_scipy(weights.astype(np.float32))
    assert floats.edge_count == graph.edge_count


@pytest.mark.parametrize(
    ("matrix", "error", "text"),
    [
        (np.ones((2, 3)), ValueError, "not square: 2 rows, 3 columns"),
        (np.array([[0, 1], [2, 0]]), ValueError, "symmetric"),
        (np.array([[0, 1, -1], [1, 0, 0], [-1, 0, 0]]), ValueError, "all positive"),
        (np.array([[0, np.nan], [np.nan, 0]]), ValueError, "finite"),
        (np.array([[0.5, -1], [-1, 1]]), ValueError, "diagonally dominant"),
        (np.array([[0, 1j], [1j, 0]]), TypeError, "real"),
        (sparse.csr_array(np.array([[0, 1j], [1j, 0]])), TypeError, "real"),
        (np.zeros(3), ValueError, "two dimensions"),
        ("text", (TypeError, ValueError), "matrix"),
        (np.array([[0, 1e-310], [1e-310, 0]]), ValueError, "weight"),
    ],
)
def test_matrices_that_are_no_graph(matrix, error, text):
    with pytest.raises(error, match=text):
        Graph.from_scipy(matrix)


def test_form_is_refused_when_it_is_another():
    with pytest.raises(ValueError, match="expected a Laplacian"):
        Graph.from_scipy(np.array([[0, 1.0], [1, 0]]), form="laplacian")
    with pytest.raises(ValueError, match="form"):
        Graph.from_scipy(np.zeros((2, 2)), form="incidence")


@pytest.mark.parametrize("rule", ["contest", "fegrass"])
def test_skeletons(rule):
    graph = Graph.from_scipy(grid(30))
    skeleton = graph.sparsify(rule, "20%V")
    assert skeleton.tree_edges.shape == (899, 2)
    assert 0 < len(skeleton.recovered_edges) <= 180
    kept = skeleton.adjacency()
    assert kept.nnz == 2 * (899 + len(skeleton.recovered_edges))
    a, b = skeleton.recovered_edges[0]
    assert kept[a, b] == graph.adjacency()[a, b] > 0
    assert sparse.csgraph.connected_components(kept)[0] == 1
    with pytest.raises(ValueError, match="number of edges"):
        graph.sparsify(rule, "many")
    with pytest.raises(ValueError, match="contest, fegrass"):
        graph.sparsify("all")


@pytest.mark.parametrize(
    "name",
    ["auto", "none", "jacobi", "incomplete-cholesky", "tree", "sparsifier", "approximate-cholesky",
     "direct"],
)
def test_solves(name):
    laplacian = grid(25, ground=1.0)
    graph = Graph.from_scipy(laplacian)
    b = np.random.default_rng(1).standard_normal((625, 3))
    x, info = graph.solve(b, preconditioner=name, tolerance=1e-10)
    assert x.shape == (625, 3) and info.residual <= 1e-10 and len(info.history) == 3
    np.testing.assert_allclose(x, spsolve(laplacian.tocsc(), b), rtol=1e-6, atol=1e-8)
    one, info = graph.solve(b[:, 1], preconditioner=name, tolerance=1e-10)
    assert info.preconditioner != "auto" and len(info.history[0]) == info.iterations + 1
    np.testing.assert_allclose(one, x[:, 1], rtol=1e-6, atol=1e-8)


def test_preconditioners_for_scipy():
    laplacian = grid(60, ground=1.0, seed=3)
    graph = Graph.from_scipy(laplacian)
    b = np.random.default_rng(2).standard_normal(3600)

    def iterations(M):
        count = 0

        def step(_):
            nonlocal count
            count += 1

        x, failed = cg(laplacian, b, rtol=1e-8, M=M, callback=step, maxiter=5000)
        assert failed == 0
        assert np.linalg.norm(laplacian @ x - b) <= 1e-7 * np.linalg.norm(b)
        return count

    plain = iterations(None)
    for name, part in [("approximate-cholesky", 0.3), ("sparsifier", 0.3), ("direct", 0.05)]:
        inverse = graph.preconditioner(name)
        assert isinstance(inverse, LinearOperator) and inverse.shape == (3600, 3600)
        assert iterations(inverse) < part * plain, name
    # It is symmetric and positive.
    x, y = np.random.default_rng(4).standard_normal((2, 3600))
    inverse = graph.preconditioner("approximate-cholesky")
    assert x @ inverse.matvec(y) == pytest.approx(y @ inverse.matvec(x), rel=1e-9)
    assert x @ inverse.matvec(x) > 0
    assert inverse.matmat(np.stack([x, y], axis=1)).shape == (3600, 2)


def test_a_floating_graph_within_scipy():
    laplacian = grid(20, ground=0.0)
    graph = Graph.from_scipy(laplacian)
    assert graph.ground is None
    b = np.random.default_rng(5).standard_normal(400)
    b -= b.mean()
    x, failed = cg(laplacian, b, rtol=1e-10, M=graph.preconditioner("sparsifier"))
    assert failed == 0
    own, info = graph.solve(b, tolerance=1e-10)
    np.testing.assert_allclose(x - x.mean(), own, atol=1e-6)
    with pytest.warns(RuntimeWarning, match="do not add up to 0"):
        _, info = graph.solve(b + 1.0)
    assert info.imbalance == pytest.approx(1.0)


def test_what_cannot_be_solved():
    graph = Graph.from_scipy(grid(40, ground=1e-3))
    b = np.random.default_rng(1).standard_normal(1600)
    with pytest.raises(palmette.ConvergenceError, match="after 3 iterations") as caught:
        graph.solve(b, preconditioner="jacobi", max_iterations=3)
    assert caught.value.iterations == 3 and 0 < caught.value.residual
    assert isinstance(caught.value, ValueError)
    assert "a larger tolerance or max_iterations may help" in str(caught.value)
    for options, text in [
        ({"tolerance": 0.0}, "tolerance"),
        ({"tolerance": float("nan")}, "tolerance"),
        ({"preconditioner": "magic"}, "expected one of auto"),
        ({"max_iterations": 0}, "must be at least 1"),
        ({"preconditioner": "direct", "memory": 10}, "10 are allowed"),
        ({"threads": 5000}, "threads"),
    ]:
        with pytest.raises(ValueError, match=text):
            graph.solve(b, **options)
    for bad in (b[:-1], np.zeros((2, 1600)), b.reshape(40, 40), 1.0):
        with pytest.raises(ValueError, match="b: expected 1600 rows"):
            graph.solve(bad)
    with pytest.raises(ValueError, match="current at vertex 7 is NaN"):
        graph.solve(np.where(np.arange(1600) == 7, np.nan, b))
    with pytest.raises(TypeError, match="not a netlist"):
        graph.solve()


def test_resistances():
    graph = Graph.from_scipy(grid(15))
    dense = np.linalg.pinv(graph.laplacian().toarray())
    pairs = np.random.default_rng(1).integers(0, 225, (50, 2))
    u, v = pairs.T
    expected = dense[u, u] + dense[v, v] - 2 * dense[u, v]
    np.testing.assert_allclose(graph.resistance(pairs, tolerance=1e-10), expected, atol=1e-8)
    np.testing.assert_allclose(graph.resistance(u, v, tolerance=1e-10), expected, atol=1e-8)
    assert graph.resistance(0, np.arange(5)).shape == (5,)
    apart = Graph.from_scipy(np.zeros((3, 3)))
    assert apart.resistance(0, 2) == np.inf and apart.resistance(1, 1) == 0
    with pytest.raises(IndexError, match="found 225"):
        graph.resistance(0, 225)
    with pytest.raises(ValueError, match=r"shape \(m, 2\)"):
        graph.resistance([1, 2, 3])


def test_netlists(tmp_path):
    path = tmp_path / "grid.spice"
    path.write_text("* two in series\nv1 pad 0 1\nr1 pad a 2\nr2 a b 3\ni1 b 0 0.1\n")
    graph = Graph.read(path)
    assert graph.form == "netlist" and set(graph.nodes) >= {"pad", "a", "b"}
    x, _ = graph.solve()
    voltage = dict(zip(graph.nodes, graph.voltages(x)))
    assert voltage["b"] == pytest.approx(0.5) and voltage["pad"] == pytest.approx(1.0)
    assert graph.resistance("pad", "b") == pytest.approx(5.0)
    with pytest.raises(FileNotFoundError, match="cannot read"):
        Graph.read(tmp_path / "no.mtx")
    bad = tmp_path / "bad.mtx"
    bad.write_text("%%MatrixMarket matrix coordinate real symmetric\n2 2 1\n2 x 1\n")
    with pytest.raises(ValueError, match="line 3"):
        Graph.read(bad)


def test_loads_and_supplies_of_a_netlist(tmp_path):
    path = tmp_path / "grid.spice"
    path.write_text("* a pad, two loads\nv1 pad 0 1.8\nr1 pad a 1\nr2 a b 2\ni1 b 0 50m\ni2 a 0 0.1\n")
    graph = Graph.read(path)
    assert graph.loads.tolist() == [-0.1, -0.05]
    assert graph.supplies.tolist() == [1.8, 0.0]
    np.testing.assert_array_equal(graph.right_hand_side, graph.loads + graph.supplies)
    with pytest.raises(AttributeError, match="use loads"):
        _ = graph.currents
    # The whole circuit, without its loads, and with twice as much of them.
    b = np.stack([graph.supplies + k * graph.loads for k in (1, 0, 2)], axis=1)
    x, _ = graph.solve(b, tolerance=1e-12)
    voltages = graph.voltages(x)
    assert graph.nodes == ["pad", "0", "a", "b"] and voltages.shape == (4, 3)
    expected = [[1.8, 1.8, 1.8], [0, 0, 0], [1.65, 1.8, 1.5], [1.55, 1.8, 1.3]]
    np.testing.assert_allclose(voltages, expected, atol=1e-9)
    np.testing.assert_array_equal(graph.voltages(x[:, 2]), voltages[:, 2])
    np.testing.assert_array_equal(graph.voltages(np.asfortranarray(x)), voltages)
    assert graph.voltages(x[:, :0]).shape == (4, 0)
    for bad in (x.T, x[:1], x.reshape(2, 3, 1), 1.0):
        with pytest.raises(ValueError, match="x: expected 2 rows and one or several columns"):
            graph.voltages(bad)
    matrix = Graph.from_scipy(np.array([[0, 1.0], [1, 0]]))
    assert matrix.loads is None and matrix.supplies is None
    with pytest.raises(ValueError, match="is not a netlist"):
        matrix.voltages([0.0, 1.0])


def test_subcircuits_are_expanded(tmp_path):
    path = tmp_path / "s.spice"
    path.write_text("* s\n.subckt load p r=1\nR9 p 0 {r}\n.ends\nV1 vdd 0 1.8\nR1 vdd p 1\nX1 p load r=2\n.end\n")
    graph = Graph.read(path)
    x, _ = graph.solve()
    voltage = dict(zip(graph.nodes, graph.voltages(x)))
    assert voltage["p"] == pytest.approx(1.2)
    path.write_text("* s\n.subckt load p\nX1 p load\n.ends\nV1 vdd 0 1.8\nX1 vdd load\n.end\n")
    with pytest.raises(ValueError, match="line 3: expected subcircuits that do not contain themselves"):
        Graph.read(path)


def test_a_weak_ground_holds():
    matrix = np.array([[1000000.5, -1e6], [-1e6, 1e6]])
    for given in (matrix, sparse.csr_array(matrix)):
        graph = Graph.from_scipy(given)
        assert graph.ground.tolist() == [0.5, 0.0] and graph.rounding == 0.0
        x, _ = graph.solve([1.0, 0.0])
        np.testing.assert_allclose(x, [2.0, 2.0], rtol=1e-6)
    # Sums in another order are no ground; nor are numbers with few digits, but one hears of them.
    weights = 1.0 / np.arange(1, 200)
    star = np.zeros((200, 200))
    star[0, 1:] = star[1:, 0] = -weights
    star[np.diag_indices(200)] = np.concatenate([[0.0], weights])
    for total in (sum(weights), sum(weights[::-1])):
        star[0, 0] = total
        graph = Graph.from_scipy(star)
        assert graph.ground is None and graph.rounding < 1e-14
    star[0, 0] -= 1e-7
    with pytest.warns(RuntimeWarning, match="in 1 rows .* treated as rounding"):
        graph = Graph.from_scipy(star)
    assert graph.ground is None and 1e-9 < graph.rounding < 1e-7


def test_a_solver_is_used_again():
    graph = Graph.from_scipy(grid(20, ground=1.0))
    solver = graph.solver("approximate-cholesky", tolerance=1e-8)
    b = np.random.default_rng(1).standard_normal((400, 4))
    for k in range(4):
        x, info = solver.solve(b[:, k])
        assert np.linalg.norm(graph.laplacian() @ x - b[:, k]) <= 1.1e-8 * np.linalg.norm(b[:, k])
        lines = str(info).splitlines()
        assert lines[0] == "approximate-cholesky" and len(lines) == 3
        assert lines[2].split() == ["0", str(info.iterations), f"{info.residual:.2g}"]
    _, info = solver.solve(np.tile(b, 25))
    lines = str(info).splitlines()
    assert len(lines) == 11 and lines[-1].split()[:2] == ["92", "more,"]
    assert len(repr(info)) < 100 and "100 right-hand sides" in repr(info)
    with pytest.raises(ValueError, match="entries for 400 vertices"):
        solver.precondition(np.zeros(3))
    assert solver.solve(np.zeros((400, 0)))[0].shape == (400, 0)
    empty = Graph.from_scipy(np.zeros((0, 0)))
    assert empty.solve(np.zeros(0))[0].shape == (0,)


@settings(max_examples=150, deadline=None)
@given(
    n=st.integers(0, 5),
    entries=st.lists(
        st.tuples(st.integers(0, 4), st.integers(0, 4), st.floats(width=64)), max_size=8
    ),
    symmetric=st.booleans(),
)
def test_any_matrix_gives_a_graph_or_an_error(n, entries, symmetric):
    matrix = np.zeros((n, n))
    for i, j, w in entries:
        if i < n and j < n:
            matrix[i, j] = w
            if symmetric:
                matrix[j, i] = w
    try:
        graph = Graph.from_scipy(matrix)
        graph.sparsify()
        graph.solve(np.ones(n))
        graph.resistance(np.zeros((1, 2), int))
    except (ValueError, IndexError):
        pass
