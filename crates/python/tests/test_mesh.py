"""Meshes: parts, and parts on machines."""

import meshio
import numpy as np
import pytest

import palmette
from palmette import Mesh


@pytest.fixture(scope="module")
def plate():
    return Mesh.generate("crack-plate:2000")


def test_meshes_of_meshio(tmp_path):
    points = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1], [2, 0.5]])
    cells = [
        ("triangle", np.array([[0, 1, 2], [0, 2, 3]])),
        ("line", np.array([[0, 1]])),
        ("triangle", np.array([[1, 4, 2]], np.int32)),
    ]
    mesh = Mesh.from_meshio(meshio.Mesh(points, cells))
    assert (len(mesh), mesh.element_count, mesh.dimension) == (5, 3, 2)
    assert mesh.elements[2].tolist() == [1, 4, 2]
    assert mesh.points.shape == (5, 3) and (mesh.points[:, :2] == points).all()
    path = tmp_path / "m.msh"
    meshio.Mesh(mesh.points, [cells[0], cells[2]]).write(path, file_format="gmsh22", binary=False)
    read = Mesh.read(path)
    assert [e.tolist() for e in read.elements] == [e.tolist() for e in mesh.elements]
    cube = meshio.Mesh(
        np.array(np.meshgrid([0, 1], [0, 1], [0, 1])).reshape(3, -1).T.astype(float),
        [("tetra", [[0, 1, 2, 4]]), ("triangle", [[0, 1, 2]])],
    )
    assert Mesh.from_meshio(cube).element_count == 1
    with pytest.raises(ValueError, match="triangle6"):
        Mesh.from_meshio(meshio.Mesh(np.zeros((6, 2)), [("triangle6", [[0, 1, 2, 3, 4, 5]])]))
    with pytest.raises(TypeError, match="mesh of meshio"):
        Mesh.from_meshio(5)


@pytest.mark.parametrize(
    ("points", "cells", "text"),
    [
        ([[0, 0], [1, 0], [2, 0]], [("triangle", [[0, 1, 2]])], "flat"),
        ([[0, 0], [1, 0], [0, 1]], [("triangle", [[0, 1, 3]])], "names node 3"),
        ([[0, 0], [1, 0], [0, 1]], [("triangle", [[0, 1, -1]])], "names node -1"),
        ([[0, 0], [1, 0], [0, 1]], [("triangle", [[0, 1, 1]])], "twice"),
        ([[0, 0], [1, 0], [0, np.nan]], [("triangle", [[0, 1, 2]])], "coordinate NaN"),
        ([[0, 0], [1, 0], [0, 1]], [("triangle", [[0, 1]])], "3 nodes per triangle, found 2"),
        ([[0, 0], [1, 0], [0, 1]], [("star", [[0, 1, 2]])], "found `star`"),
        ([0, 0, 1], [], "shape"),
    ],
)
def test_cells_that_are_no_mesh(points, cells, text):
    with pytest.raises(ValueError, match=text):
        Mesh.from_cells(points, cells)


def test_parts(plate):
    found = plate.partition(8)
    assert len(found) == 8 and found.parts.shape == (len(plate),)
    sizes = np.bincount(found.parts)
    assert sizes.max() == found.figures["largest_part"] and found.imbalance <= 0.03 + 1e-9
    edges = {tuple(sorted((a, b))) for e in plate.elements for a in e for b in e if a < b}
    assert found.cut == sum(found.parts[a] != found.parts[b] for a, b in edges)
    again = plate.partition(8, threads=1)
    assert (again.parts == found.parts).all()
    assert found.svg().startswith("<svg") and "<img" in found._repr_html_()
    elements = plate.partition(8, elements=True)
    assert elements.parts.shape == (plate.element_count,) and elements.figures["copies"] > 0
    assert elements.svg().startswith("<svg")
    heavy = np.ones(len(plate), np.int64)
    heavy[:50] = 100
    weighted = plate.partition(4, weights=heavy)
    loads = np.bincount(weighted.parts, heavy)
    assert loads.max() == weighted.figures["largest_part"]
    for k, options, text in [
        (0, {}, "at least one part"),
        (len(plate) + 1, {}, "are too many"),
        (4, {"bisection": "magic"}, "geometric"),
        (4, {"imbalance": -1}, "imbalance"),
        (4, {"imbalance": float("nan")}, "imbalance"),
        (4, {"tries": 0}, "tries"),
        (4, {"weights": [1, 2]}, "weights"),
        (4, {"weights": [-1] * len(plate)}, "weights"),
    ]:
        with pytest.raises(ValueError, match=text):
            plate.partition(k, **options)
    with pytest.raises(ValueError, match="parts: expected 0"):
        plate.partition(-3)
    with pytest.raises(TypeError, match="whole number"):
        plate.partition(2.5)


def test_graphs_without_points(tmp_path):
    grid = palmette.Graph.generate("grid:20x20")
    cuts = {}
    for preset in ("fast", "default", "strong"):
        found = Mesh.from_scipy(grid.adjacency()).partition(4, preset=preset)
        assert np.bincount(found.parts).max() <= 103
        cuts[preset] = found.cut
    assert cuts["strong"] <= cuts["default"] <= 1.1 * cuts["fast"]
    mesh = Mesh.from_graph(grid)
    assert (len(mesh), mesh.points.shape, mesh.map("torus:2x2").cut > 0) == (400, (0, 3), True)
    for call in (mesh.svg, mesh.partition(4).svg, mesh.map("torus:2x2").partition_svg):
        with pytest.raises(ValueError, match="no coordinates"):
            call()
    with pytest.raises(ValueError, match="hilbert bisection needs coordinates"):
        mesh.partition(4, "hilbert")
    with pytest.raises(ValueError, match="`slow`; expected one of fast, default, strong"):
        mesh.partition(4, preset="slow")
    with pytest.raises(ValueError, match="points: expected 400 rows, found 2"):
        Mesh.from_graph(grid, [[0, 0], [1, 1]])
    with pytest.raises(TypeError, match="expected a Graph"):
        Mesh.from_graph(grid.adjacency())
    places = np.array([[k % 20, k // 20] for k in range(400)], float)
    assert Mesh.from_graph(grid, places).partition(4, "hilbert").svg().startswith("<svg")


def test_parts_on_a_torus(plate):
    mapping = plate.map("torus:4x4")
    assert sorted(mapping.processors.tolist()) == list(range(16))
    assert set(mapping.parts.tolist()) == set(range(16))
    at = mapping.coordinates[mapping.processors]
    hops = np.abs(at[mapping.messages[:, 0]] - at[mapping.messages[:, 1]])
    hops = np.minimum(hops, 4 - hops).sum(axis=1)
    assert (hops * mapping.messages[:, 2]).sum() == mapping.hopsum
    assert mapping.loads[:, 2].max() == mapping.max_link_load
    assert mapping.loads[:, 2].sum() == mapping.figures["routed_hopsum"]
    assert mapping.message_phases.max() + 1 == mapping.phases
    assert len(mapping.routes["messages"]) == len(mapping.messages)
    assert mapping.svg().startswith("<svg") and mapping._repr_html_().count("<img") == 2
    tree = plate.map("fat-tree:4x4", placement="cut-tree")
    assert tree.loads is None and tree.svg().startswith("<svg") and len(tree.figures["levels"]) == 2
    given = plate.map("hierarchy:2x4", distances=[1, 5], objective="cut")
    assert given.machine == "hierarchy:2x4@1,5" and len(given.processors) == 8
    dead = plate.map("torus:3x3", without=[4], hosts={"a": 5, "b": 4})
    assert len(dead.processors) == 8 and 4 not in dead.processors
    assert dead.max_link_load >= dead.max_link_load_at_least > 0
    assert dead.names is None
    ranks = dead.ranks().splitlines()
    assert ranks[0].startswith("rank 0=") and len(ranks) == 8
    assert sorted(dead.ranks("slurm").split()) == ["a"] * 4 + ["b"] * 4
    assert "MPI_Dist_graph_create_adjacent" in dead.header()
    with pytest.raises(ValueError, match="2 slots"):
        plate.map("torus:2x2", hosts=["a", "b"]).ranks()
    for machine, options in [
        ("ring:4", {}),
        ("torus:0x4", {}),
        ("torus:4x4", {"parts": 17}),
        ("torus:4x4", {"placement": "best"}),
        ("torus:4x4", {"routing": "any"}),
        ("torus:4x4", {"channels": 0}),
        ("torus:4x4", {"without": [16]}),
        ("torus:4x4", {"distances": [1]}),
        ("hierarchy:4x4", {"distances": [1]}),
        ("absent.graph", {}),
        ("torus:4x4", {"time_limit": -1}),
        ("torus:100x100", {}),
    ]:
        with pytest.raises(ValueError):
            plate.map(machine, **options)


def test_nodes_at_the_same_place(tmp_path):
    """A square cut in two along its middle: two triangles, whose nodes there are double."""
    points = np.array([[0.0, 0, 0], [1, 0, 0], [0, 1, 0], [1, 0, 0], [1, 1, 0], [0, 1, 0]])
    path = tmp_path / "cut.msh"
    cells = [("triangle", np.array([[0, 1, 2], [3, 4, 5]]))]
    meshio.Mesh(points, cells).write(path, file_format="gmsh22", binary=False)
    apart, joined = Mesh.read(path), Mesh.read(path, merge=True)
    assert (len(apart), apart.coincident()) == (6, 2)
    assert (len(joined), joined.coincident()) == (4, 0)
    assert [e.tolist() for e in joined.elements] == [[0, 1, 2], [1, 3, 2]]
    assert set(apart.partition(3).parts) == {0, 1, 2}
    with pytest.raises(TypeError, match="merge=True"):
        Mesh.read(path, coincident=True)
    with pytest.raises(ValueError, match="to merge nodes"):
        graph = tmp_path / "two.graph"
        graph.write_text("2 1\n2\n1\n")
        Mesh.read(graph, xyz=path, merge=True)


def test_shapes_and_files(tmp_path):
    assert Mesh.generate("box:2x2x2").dimension == 3
    assert Mesh.generate("tetrahedra:3x3x3").partition(3).svg().startswith("<svg")
    for text in ("cube", "grid:0x0", "grid:axb", "delaunay:99999999999"):
        with pytest.raises(ValueError):
            Mesh.generate(text)
    with pytest.raises(FileNotFoundError):
        Mesh.read(tmp_path / "no.msh")
    with pytest.raises(ValueError, match="no coordinates for this METIS mesh; pass xyz"):
        path = tmp_path / "m.mesh"
        path.write_text("1 1\n1 2 3\n")
        Mesh.read(path)
    assert isinstance(palmette.Mesh.generate("grid:3x3").svg(), str)
