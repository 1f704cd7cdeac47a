"""What parts keep to beside their number, counted here with numpy."""

import numpy as np
import palmette
import pytest
from palmette import Mesh


@pytest.fixture(scope="module")
def grid():
    return Mesh.from_graph(palmette.Graph.generate("grid:30x30"))


def test_sizes_and_several_weights(grid):
    found = grid.partition(sizes=[1, 1, 2])
    assert len(found) == 3 and found.figures["over_limit"] == 0
    sizes = np.bincount(found.parts)
    assert (sizes <= np.ceil(1.03 * 900 * np.array([0.25, 0.25, 0.5]))).all() and found.imbalance <= 0.03
    weights = np.stack([np.ones(900, int), np.arange(900) % 30 < 10, np.arange(900) // 30], axis=1)
    found = grid.partition(6, weights=weights)
    for column, over in zip(weights.T, found.figures["imbalances"], strict=True):
        loads = np.bincount(found.parts, column)
        assert over == pytest.approx(loads.max() / loads.mean() - 1) and over <= 0.04
    mapping = grid.map("torus:1x3", sizes=[1, 1, 2])
    assert np.bincount(mapping.parts).max() > 400


def test_fixed_nodes_and_connected_parts(grid):
    found = grid.partition(5, fixed={0: 4, 899: 0}, contiguous=True)
    assert (found.parts[0], found.parts[899]) == (4, 0)
    assert found.figures["fixed"] == 2 and found.figures["components"] == 5
    rows = np.full(900, -1)
    rows[[3, 70]] = 2
    assert (grid.partition(5, fixed=rows).parts[[3, 70]] == 2).all()


def test_objectives(grid):
    values = {what: grid.partition(16, objective=what).figures for what in ("cut", "volume", "bottleneck")}
    assert values["volume"]["volume"] <= values["cut"]["volume"]
    assert values["bottleneck"]["largest_volume"] <= values["cut"]["largest_volume"]
    plate = Mesh.generate("triangles:20x20")
    copies = {what: plate.partition(9, elements=True, objective=what).figures["copies"] for what in ("cut", "volume")}
    assert copies["volume"] <= copies["cut"]


def test_parts_before(grid):
    old = grid.partition(8).parts
    weights = np.where(np.arange(900) < 200, 4, 1)
    moved = {}
    for cost in (0.01, 1.0):
        found = grid.partition(previous=old, migration=cost, weights=weights)
        changed = found.parts != old
        moved[cost] = found.figures["migrated_weight"]
        assert found.figures["migrated"] == changed.sum() and moved[cost] == weights[changed].sum()
        assert found.figures["over_limit"] == 0
    assert moved[1.0] <= moved[0.01]
    new = old.copy()
    new[::7] = -1
    assert grid.partition(8, previous=new, migration=50).figures["migrated"] == 0


def test_edges_that_count():
    """Four vertices in a ring, tied in pairs."""
    ring = np.array([[0, 9, 0, 1], [9, 0, 1, 0], [0, 1, 0, 9], [1, 0, 9, 0]], float)
    scipy = pytest.importorskip("scipy.sparse")
    mesh = Mesh.from_scipy(scipy.csr_matrix(ring))
    assert mesh.partition(2).cut == 2
    assert mesh.partition(2, ignore_edge_weights=True).cut == 2
    assert mesh.partition(2, fixed={0: 0, 1: 1, 2: 1, 3: 0}).cut == 18
    assert mesh.partition(2, fixed={0: 0, 1: 1, 2: 1, 3: 0}, ignore_edge_weights=True).cut == 2


@pytest.mark.parametrize(
    ("options", "text"),
    [
        ({"k": 3, "sizes": [1, 2]}, "2 sizes for 3 parts"),
        ({"sizes": [0.5, 0.7]}, "add up to 1"),
        ({"sizes": [1, -1]}, "size -1"),
        ({"k": 2, "fixed": {0: 2}}, "part 2 of 2"),
        ({"k": 2, "fixed": {900: 0}}, "vertex 900"),
        ({"k": 2, "fixed": [0, 1]}, "expected 900 parts"),
        ({"k": 2, "fixed": {v: 0 for v in range(500)}}, "fixed in part 0 weigh"),
        ({"k": 2, "objective": "edges"}, "bottleneck"),
        ({"k": 2, "previous": [0, 1]}, "2 previous parts for 900 vertices"),
        ({"k": 2, "previous": [-2] * 900}, "-1 for none"),
        ({"k": 2, "previous": [0] * 900, "migration": -1}, "migration is -1"),
        ({"k": 2, "weights": np.ones((900, 0), int)}, "a column or more"),
        ({"k": 2, "weights": np.ones((3, 2), int)}, "3 weights for 900"),
        ({"k": 2, "refine": False, "fixed": {0: 0}}, "refinement"),
    ],
)
def test_demands_that_cannot_be(grid, options, text):
    with pytest.raises(ValueError, match=text):
        grid.partition(**options)


def test_a_number_of_parts_is_needed(grid):
    with pytest.raises(TypeError, match="needs k"):
        grid.partition()
    scipy = pytest.importorskip("scipy.sparse")
    pair = np.array([[0, 1], [1, 0]], float)
    apart = Mesh.from_scipy(scipy.block_diag([pair, pair], format="csr"))
    with pytest.raises(ValueError, match="2 components"):
        apart.partition(1, contiguous=True)


def test_as_the_command_does_it(cli, tmp_path):
    path, parts, weights, fixed = (tmp_path / name for name in ("g.mtx", "p.txt", "w.txt", "f.txt"))
    cli("graph", "generate", "grid:20x20", "-o", path)
    columns = np.stack([1 + np.arange(400) % 3, np.arange(400) % 2], axis=1)
    np.savetxt(weights, columns, fmt="%d")
    fixed.write_text("1 2\n400 0\n")
    words = ["--sizes", "1,2,1", "--node-weights", weights, "--fixed", fixed, "--objective", "volume", "-o", parts]
    record = cli("mesh", "partition", path, *words)
    mesh = Mesh.read(path)
    options = {"sizes": [1, 2, 1], "weights": columns, "fixed": {0: 2, 399: 0}, "objective": "volume"}
    found = mesh.partition(**options)
    assert (found.parts == np.loadtxt(parts, dtype=int)).all()
    for key, value in found.figures.items():
        assert record["result"][key] == value, key
    record = cli("mesh", "partition", path, "--from", parts, "--migration", 0.3, "-o", weights)
    found = mesh.partition(previous=found.parts, migration=0.3)
    assert (found.parts == np.loadtxt(weights, dtype=int)).all()
    assert record["result"]["migrated"] == found.figures["migrated"]
