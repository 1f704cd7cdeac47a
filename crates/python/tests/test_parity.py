"""The same inputs through the command line and through Python give the same answers."""

import csv
import json

import numpy as np
import pytest
from conftest import random_parents
from test_graph import grid

import palmette
from palmette import DynamicSparsifier, Graph, Mesh, Tree, spatial


def column(path, kind=float):
    """The last column of a table."""
    with open(path, newline="") as file:
        rows = list(csv.reader(file))[1:]
    return np.array([kind(row[-1]) for row in rows])


@pytest.fixture(scope="module")
def forest(tmp_path_factory):
    """A tree with three columns of values: its file, its parents, its values."""
    path = tmp_path_factory.mktemp("parity") / "tree.csv"
    parents = random_parents(700, 11)
    random = np.random.default_rng(4)
    values = {
        "whole": random.integers(-1000, 1000, 700),
        "real": random.standard_normal(700) * 10.0 ** random.integers(-8, 8, 700),
        "length": random.random(700),
    }
    with open(path, "w") as file:
        file.write("id,parent,whole,real,length\n")
        for v, p in enumerate(parents):
            named = "" if p < 0 else p
            cells = [v, named, values["whole"][v], repr(float(values["real"][v]))]
            file.write(",".join(map(str, [*cells, repr(float(values["length"][v]))])) + "\n")
    return path, parents, values


@pytest.mark.parametrize("way", ["leaffix", "rootfix"])
@pytest.mark.parametrize(
    ("op", "name", "options"),
    [
        ("sum", "whole", {}),
        ("sum", "real", {}),
        ("sum", "real", {"engine": "sequential"}),
        ("sum", "real", {"sum": "exact"}),
        ("sum", "real", {"sum": "compensated"}),
        ("sum", "whole", {"scope": "exclusive"}),
        ("max", "real", {}),
        ("min", "whole", {"engine": "contract"}),
        ("xor", "whole", {}),
        ("argmin", "real", {}),
        ("hash", "whole", {"seed": 5}),
        ("product", "whole", {"modulus": 1_000_003}),
    ],
)
def test_aggregates(cli, forest, tmp_path, way, op, name, options):
    path, parents, values = forest
    out = tmp_path / "out.csv"
    words = []
    for key, value in options.items():
        words += ["--exclusive"] if key == "scope" else [f"--{key}", value]
    cli("tree", way, path, "--op", op, "--values", f"column:{name}", "-o", out, *words)
    tree = Tree.from_parents(parents)
    found = getattr(tree, way)(values[name], op=op, **options)
    if (way, op, name, options) == ("leaffix", "sum", "real", {}):
        # The command makes no tree for it, and adds in another order. In any order m numbers have at
        # most m - 1 roundings, each of a part of the sum of magnitudes.
        bounds = tree.sizes() * 2.0**-53 * tree.leaffix(abs(values[name])) * 1.01
        exact = tree.leaffix(values[name], sum="exact")
        assert (abs(column(out, float) - exact) <= bounds).all()
        assert (abs(found - exact) <= bounds).all()
        return
    if op == "argmin":
        assert (column(out, int) == found[1]).all()
        return
    expected = column(out, float if found.dtype.kind == "f" else int)
    assert (found == expected.astype(found.dtype)).all()


def test_maps_and_matrices(cli, forest, tmp_path):
    path, parents, values = forest
    out = tmp_path / "out.csv"
    cli("tree", "rootfix", path, "--op", "affine", "--values", "column:length,column:length", "-o", out)
    pairs = np.stack([values["length"]] * 2, axis=1)
    found = Tree.from_parents(parents).rootfix(pairs, op="affine")
    assert (found[:, 1] == column(out)).all()


def test_queries(cli, forest, tmp_path):
    path, parents, values = forest
    tree = Tree.from_parents(parents)
    pairs = np.random.default_rng(1).integers(0, 700, (300, 2))
    queries, out = tmp_path / "pairs.csv", tmp_path / "out.csv"
    np.savetxt(queries, pairs, fmt="%d", delimiter=",")
    u, v = pairs.T
    cli("tree", "lca", path, "--pairs", queries, "-o", out)
    assert (tree.lca(u, v) == column(out, int)).all()
    cli("tree", "distance", path, "--edges", "--pairs", queries, "-o", out)
    assert (tree.distance(u, v) == column(out, int)).all()
    read = Tree.read(path)
    assert (read.distance(u, v, lengths=False) == column(out, int)).all()
    cli("tree", "distance", path, "--pairs", queries, "-o", out)
    expected = column(out)
    assert (tree.distance(u, v, lengths=values["length"]) == expected).all()
    assert (read.distance(u, v) == expected).all()
    assert (read.distance(u, v, lengths=True) == expected).all()
    assert (read.parents == parents).all() and (read.lengths == values["length"]).all()


def test_newick(cli, tmp_path):
    path, out = tmp_path / "t.nwk", tmp_path / "out.csv"
    path.write_text("((a:1.5,b:2)x:3,(c:4,d:5)y:6)r;")
    tree = Tree.from_newick(path)
    cli("tree", "rootfix", path, "--op", "depth", "--lengths", "-o", out)
    assert (tree.depth(lengths=True) == column(out)).all()
    record = cli("tree", "lca", path, "a", "b")
    assert tree.label(tree.lca("a", "b")) == record["result"]["lca"]


@pytest.mark.parametrize(
    ("words", "edit"),
    [
        (["subtree", "--of", "a,b"], lambda t: t.subtree("a", "b")),
        (["prune", "--drop", "b,d"], lambda t: t.prune(drop=["b", "d"])),
        (["prune", "--keep", "a,c", "--unifurcations", "keep"],
         lambda t: t.prune(["a", "c"], suppress=False)),
        (["reroot", "--midpoint"], lambda t: t.reroot(midpoint=True)),
        (["reroot", "--min-variance"], lambda t: t.reroot(min_variance=True)),
        (["reroot", "--outgroup", "a,b,f"], lambda t: t.reroot(outgroup=["a", "b", "f"])),
        (["reroot", "--at", "c", "--fraction", 0.25], lambda t: t.reroot(at="c", fraction=0.25)),
        (["reroot", "--unroot"], lambda t: t.unroot()),
        (["ladderize", "--order", "descending"], lambda t: t.ladderize("descending")),
        (["sort"], lambda t: t.sort()),
        (["collapse", "--shorter-than", 3.5], lambda t: t.collapse(shorter_than=3.5)),
        (["resolve", "--method", "random", "--seed", 3], lambda t: t.resolve("random", seed=3)),
    ],
)
def test_edits(cli, tmp_path, words, edit):
    path, out = tmp_path / "t.nwk", tmp_path / "out.nwk"
    path.write_text("(((b:1.5,a:2,f:1)x:3,c:4)y:0.5,(e:4,d:5)z:6)r;")
    verb, *options = words
    cli("tree", verb, path, *options, "-o", out)
    tree, expected = edit(Tree.from_newick(path)), Tree.from_newick(out)
    assert (tree.parents == expected.parents).all() and (tree.lengths == expected.lengths).all()
    assert tree.labels == expected.labels
    assert len(tree.origin) == len(tree)


@pytest.mark.parametrize("options", [{}, {"gaps": "state"}, {"states": "one"}])
def test_parsimony(cli, tmp_path, options):
    tree = Tree.generate("phylogeny:99", seed=5)
    leaves = [v for v, size in enumerate(tree.sizes()) if size == 1]
    letters = np.random.default_rng(3).choice(list("ACGT-?R"), (len(leaves), 40))
    alignment, nwk = tmp_path / "a.fa", tmp_path / "t.csv"
    alignment.write_text("".join(f">{v}\n{''.join(row)}\n" for v, row in zip(leaves, letters)))
    nwk.write_text("id,parent\n" + "".join(f"{v},{'' if p < 0 else p}\n" for v, p in enumerate(tree.parents)))
    scores, branches, states = (tmp_path / name for name in ("s.csv", "b.csv", "states.csv"))
    words = ["--gaps", options.get("gaps", "missing"), f"--states={options.get('states', 'mpr')}"]
    record = cli("tree", "parsimony", nwk, alignment, *words, "--scores", scores, "--branches", branches, "-o", states)
    by_name = {str(v): "".join(row) for v, row in zip(leaves, letters)}
    for given in (str(alignment), by_name, letters.astype("S1")):
        found = tree.parsimony(given, **options)
        assert (found.site_scores == column(scores)).all()
        assert (found.branch_scores == column(branches)).all()
        for key, value in found.result.items():
            assert record["result"][key] == value, key
        with open(states, newline="") as file:
            for vertex, text in list(csv.reader(file))[1:]:
                assert found.states[int(vertex)] == text


@pytest.mark.parametrize(("order", "curve"), [("light-first", "hilbert"), ("bfs", "z")])
def test_layouts(cli, forest, tmp_path, order, curve):
    path, parents, _ = forest
    out = tmp_path / "places.csv"
    record = cli("spatial", "layout", path, "--order", order, "--curve", curve, "-o", out)
    layout = Tree.from_parents(parents).layout(curve, order)
    with open(out, newline="") as file:
        rows = [[int(cell) for cell in row] for row in list(csv.reader(file))[1:]]
    assert (np.array(rows)[:, 2] == layout.x).all() and (np.array(rows)[:, 3] == layout.y).all()
    for key in ("energy", "energy_per_vertex", "longest_edge", "max_link_load"):
        assert record["result"][key] == getattr(layout, key), key


@pytest.mark.parametrize("direction", ["leaffix", "rootfix"])
def test_the_spatial_computer(cli, forest, tmp_path, direction):
    path, parents, values = forest
    out = tmp_path / "out.csv"
    words = ["--direction", direction, "--values", "whole", "--seed", 3, "-o", out]
    record = cli("spatial", "treefix", path, *words)
    tree = Tree.from_parents(parents)
    found = spatial.run("treefix", tree, values["whole"], direction=direction, seed=3)
    assert (found.answer == column(out, int)).all()
    assert found.result == {**record["result"]}
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("3,5\n600,1\n77,78\n")
    record = cli("spatial", "lca", path, "--pairs", pairs, "-o", out)
    found = spatial.run("lca", tree, pairs=[(3, 5), (600, 1), (77, 78)])
    assert (found.answer == column(out, int)).all()
    assert found.result == record["result"]
    record = cli("spatial", "layout", path, "--on-machine")
    assert spatial.run("layout", tree).result == record["result"]
    record = cli("spatial", "message", path, "--kind", "reduce", "--values", "whole")
    assert spatial.run("reduce", tree, values["whole"]).result == record["result"]


@pytest.fixture(scope="module")
def matrix(tmp_path_factory):
    """A grounded grid: its file, its Laplacian."""
    path = tmp_path_factory.mktemp("parity") / "grid.mtx"
    laplacian = grid(30, ground=1.5, seed=7)
    lower = laplacian.tocoo()
    kept = lower.row >= lower.col
    with open(path, "w") as file:
        file.write("%%MatrixMarket matrix coordinate real symmetric\n")
        file.write(f"900 900 {kept.sum()}\n")
        for i, j, w in zip(lower.row[kept], lower.col[kept], lower.data[kept]):
            file.write(f"{i + 1} {j + 1} {float(w)!r}\n")
    return path, laplacian


@pytest.mark.parametrize(("rule", "budget"), [("contest", None), ("fegrass", "15%V"), ("contest", 40)])
def test_skeletons(cli, matrix, tmp_path, rule, budget):
    path, laplacian = matrix
    out = tmp_path / "edges.txt"
    words = [] if budget is None else ["--budget", budget]
    record = cli("graph", "sparsify", path, "--rule", rule, "-o", out, *words)
    for graph in (Graph.from_scipy(laplacian), Graph.read(path)):
        skeleton = graph.sparsify(rule, budget)
        both = np.concatenate([skeleton.tree_edges, skeleton.recovered_edges])
        assert (np.loadtxt(out, dtype=int) == both + 1).all()
        assert record["result"]["recovered_edges"] == len(skeleton.recovered_edges)
        assert record["result"]["non_crossing"] == skeleton.non_crossing


@pytest.mark.parametrize("name", ["auto", "jacobi", "sparsifier", "approximate-cholesky"])
def test_solves(cli, matrix, tmp_path, name):
    path, laplacian = matrix
    rhs, out = tmp_path / "b.npy", tmp_path / "x.npy"
    b = np.random.default_rng(3).standard_normal(900)
    np.save(rhs, b)
    words = ["--preconditioner", name, "--tolerance", 1e-9, "--rhs", rhs, "-o", out]
    record = cli("graph", "solve", path, *words)
    x, info = Graph.read(path).solve(b, preconditioner=name, tolerance=1e-9)
    assert (x == np.load(out).reshape(-1)).all()
    assert (info.iterations, info.residual) == (
        record["result"]["iterations"], record["result"]["residual"])
    assert info.preconditioner == record["result"]["preconditioner"]
    again, _ = Graph.from_scipy(laplacian).solve(b, preconditioner=name, tolerance=1e-9)
    np.testing.assert_allclose(again, x, rtol=1e-7, atol=1e-9)
    found = cli("graph", "resistance", path, 1, 900)["result"]["resistance"]
    assert Graph.read(path).resistance(0, 899) == found


@pytest.mark.parametrize("count", [None, 16])
def test_resistances_of_all_edges(cli, matrix, tmp_path, count):
    path, _ = matrix
    out = tmp_path / "edges.csv"
    words = [] if count is None else ["--projections", count]
    record = cli("graph", "resistance", path, "--all-edges", "-o", out, *words)
    found = Graph.read(path).edge_resistances(count)
    assert (column(out) == found.resistance).all()
    assert record["result"]["error"] == found.error


def test_landscapes(cli, tmp_path):
    land, points = tmp_path / "land.asc", tmp_path / "points.txt"
    table, out = tmp_path / "r.csv", tmp_path / "currents.asc"
    cli("graph", "generate", "landscape:30x40", "-o", land, "--output-points", points, "--points", 5)
    graph = Graph.read(land)
    found = graph.read_points(points)
    cli("graph", "resistance", land, "--points", points, "-o", table)
    square = graph.focal_resistance(found)
    assert (column(table) == square[np.triu_indices(5, 1)]).all()
    for mode in ("pairwise", "one-to-all", "all-to-one"):
        cli("graph", "current", land, "--points", points, "--mode", mode, "-o", out)
        rows = [line.split() for line in out.read_text().splitlines()[6:]]
        written = np.array(rows, float)
        held = graph.raster(graph.focal_currents(found, mode).current)
        assert graph.shape == held.shape == written.shape
        assert (np.where(written == -9999, np.nan, written)[~np.isnan(held)] == held[~np.isnan(held)]).all()
        assert (np.isnan(held) == (written == -9999)).all()
    array = graph.raster(np.arange(len(graph)) + 1.0)
    again = Graph.from_raster(array)
    assert len(again) == len(graph) and (again.places == graph.places).all()
    with pytest.raises(ValueError, match="cells above 0"):
        Graph.from_raster([[1.0, -1.0]])
    with pytest.raises(ValueError, match="nothing that it can reach is grounded"):
        graph.driven_currents(np.eye(len(graph))[0], np.zeros(len(graph)))


def test_signed_matrices(cli, tmp_path):
    random = np.random.default_rng(5)
    matrix = random.uniform(-1, 1, (30, 30)) * (random.random((30, 30)) < 0.2)
    matrix = matrix + matrix.T
    np.fill_diagonal(matrix, 0)
    np.fill_diagonal(matrix, np.abs(matrix).sum(axis=1) + 0.1)
    b = random.uniform(-1, 1, (30, 3))
    x, info = palmette.solve_sdd(matrix, b, tolerance=1e-12)
    assert np.allclose(matrix @ x, b) and x.shape == b.shape
    path, rhs, out = tmp_path / "m.mtx", tmp_path / "b.npy", tmp_path / "x.npy"
    lower = [(i, j) for i in range(30) for j in range(i + 1) if matrix[i, j] != 0]
    lines = [f"{i + 1} {j + 1} {float(matrix[i, j])!r}" for i, j in lower]
    head = f"%%MatrixMarket matrix coordinate real symmetric\n30 30 {len(lower)}\n"
    path.write_text(head + "\n".join(lines) + "\n")
    np.save(rhs, b)
    cli("graph", "solve", path, "--signed", "--rhs", rhs, "--tolerance", "1e-12", "-o", out)
    assert np.allclose(np.load(out), x, rtol=1e-9)
    matrix[4, 4] = 0.01
    with pytest.raises(ValueError, match="row 4 is not diagonally dominant"):
        palmette.solve_sdd(matrix, b)


def test_minimum_cuts(cli, matrix, tmp_path):
    path, _ = matrix
    graph = Graph.read(path)
    out, edges, tree = tmp_path / "sides.csv", tmp_path / "edges.csv", tmp_path / "tree.csv"
    record = cli("graph", "mincut", path, "-o", out, "--edges", edges)
    cut = graph.minimum_cut()
    assert record["result"]["value"] == cut.value
    assert record["result"]["side_sizes"] == [len(cut.side), 900 - len(cut.side)]
    assert (np.flatnonzero(column(out, int)) == cut.side).all()
    assert (column(edges) == cut.weights).all()
    record = cli("graph", "mincut", path, "--all", "-o", out)
    assert record["result"]["minimum_cuts"] == len(graph.minimum_cuts())
    pairs = tmp_path / "pairs.csv"
    pairs.write_text("u,v\n1,900\n30,31\n")
    cli("graph", "mincut", path, "--pairs", pairs, "-o", out)
    assert (column(out) == graph.separate([0, 29], [899, 30])).all()
    small = tmp_path / "small.mtx"
    cli("graph", "generate", "grid:5x6", "--weights", "uniform:1:2", "-o", small)
    cli("graph", "mincut", small, "--all-pairs", "-o", tree)
    parents, values = Graph.read(small).gomory_hu()
    rows = [line.split(",") for line in tree.read_text().splitlines()[1:]]
    assert [int(row[1] or 0) - 1 for row in rows] == parents.tolist()
    assert [float(row[2]) for row in rows[1:]] == values[1:].tolist()


def test_streams(cli, matrix, tmp_path):
    path, _ = matrix
    updates, kept, now = tmp_path / "updates.csv", tmp_path / "kept.mtx", tmp_path / "now.mtx"
    chords = [(v, 898 - v) for v in range(300)]
    lines = [f"insert,{u + 1},{v + 1},{0.5 + u / 100}" for u, v in chords]
    updates.write_text("\n".join([*lines, "delete,1,2", "weight,31,32,3"]) + "\n")
    found = cli("graph", "stream", path, updates, "-o", kept, "--graph", now)["result"]
    skeleton = DynamicSparsifier(Graph.read(path))
    skeleton.insert(chords, [0.5 + u / 100 for u, _ in chords])
    skeleton.delete([[0, 1]])
    skeleton.set_weights([[30, 31]], 3.0)
    assert found["updates"] == skeleton.updates == 302
    assert found["refreshes"] == skeleton.refreshes > 0
    assert found["density"] == skeleton.density
    assert found["condition"] == skeleton.condition()
    assert found["recovered_edges"] == len(skeleton.recovered_edges)
    for written, held in [(kept, skeleton.skeleton()), (now, skeleton.graph())]:
        assert abs(Graph.read(written).adjacency() - held.adjacency()).max() == 0
    currents = np.zeros(900)
    currents[[0, 899]] = 1, -1
    x, info = skeleton.solve(currents, tolerance=1e-10)
    exact, _ = skeleton.graph().solve(currents, tolerance=1e-12)
    assert np.allclose(x - x[0], exact - exact[0], rtol=1e-7) and info.iterations > 0


def test_generated(cli, tmp_path):
    tree, graph = tmp_path / "tree.csv", tmp_path / "graph.mtx"
    cli("tree", "generate", "phylogeny:99", "--lengths", "--shuffle", "--seed", 7, "-o", tree)
    read = Tree.read(tree)
    made = Tree.generate("phylogeny:99", lengths=True, shuffle=True, seed=7)
    assert (made.parents == read.parents).all() and (made.lengths == read.lengths).all()
    cli("graph", "generate", "road:200", "--weights", "uniform:1:2", "--seed", 7, "-o", graph)
    made = Graph.generate("road:200", weights="uniform:1:2", seed=7)
    assert (made.adjacency() != Graph.read(graph).adjacency()).nnz == 0
    with pytest.raises(ValueError, match="did you mean `grid"):
        Graph.generate("gird:3x3")
    with pytest.raises(ValueError, match="did you mean `star`"):
        Tree.generate("strar:10")


def test_parts_and_mappings(cli, tmp_path):
    path, parts, folder = tmp_path / "plate.msh", tmp_path / "parts.txt", tmp_path / "out"
    cli("mesh", "generate", "crack-plate:1500", "-o", path)
    record = cli("mesh", "partition", path, "-k", 6, "-o", parts)
    for mesh in (Mesh.read(path), Mesh.generate("crack-plate:1500")):
        found = mesh.partition(6)
        assert (found.parts == np.loadtxt(parts, dtype=int)).all()
        for key, value in found.figures.items():
            assert record["result"][key] == value, key
    graph = tmp_path / "g.mtx"
    cli("graph", "generate", "road:500", "-o", graph)
    cli("mesh", "partition", graph, "-k", 5, "--preset", "strong", "-o", parts)
    for mesh in (Mesh.read(graph), Mesh.from_graph(Graph.read(graph))):
        assert (mesh.partition(5, preset="strong").parts == np.loadtxt(parts, dtype=int)).all()
    record = cli("mesh", "order", graph, "--seed", 3, "-o", parts)
    order, figures = Mesh.read(graph).order(seed=3)
    assert (order + 1 == np.loadtxt(parts, dtype=int)).all()
    assert figures == {key: record["result"][key] for key in figures}
    record = cli("mesh", "order", graph, "--evaluate", parts)
    assert record["result"]["operations"] == figures["operations"]
    with pytest.raises(ValueError, match="minimum-degree"):
        Mesh.read(graph).order("minimum")
    record = cli("mesh", "map", path, "--machine", "torus:3x3", "-o", folder)
    mapping = Mesh.read(path).map("torus:3x3")
    assert (mapping.parts == np.loadtxt(folder / "part.txt", dtype=int)).all()
    for key, value in mapping.figures.items():
        if key != "machine":
            assert record["result"][key] == value, key
    assert mapping.routes == json.loads((folder / "routes.json").read_text())
    hosts = tmp_path / "hosts"
    hosts.write_text("a:12 b:12")
    words = ["--machine", "torus:2x3/2x2", "--distances", "1,4,9", "--without", "0,5-6"]
    words += ["--objective", "cut", "--routing", "adaptive", "--hosts", hosts]
    record = cli("mesh", "map", path, *words, "-o", folder)
    mapping = Mesh.read(path).map(
        "torus:2x3/2x2",
        distances=[1, 4, 9],
        without=[0, 5, 6],
        objective="cut",
        routing="adaptive",
        hosts={"a": 12, "b": 12},
    )
    for key, value in mapping.figures.items():
        assert key == "machine" or record["result"][key] == value, key
    assert mapping.machine == record["parameters"]["machine"]
    assert mapping.ranks() == (folder / "rankfile").read_text()
    assert mapping.header() == (folder / "neighbours.h").read_text()
    assert mapping.svg() == (folder / "placement.svg").read_text(encoding="utf-8")
    record = cli("mesh", "partition", path, "-k", 5, "--elements", "-o", parts)
    found = Mesh.read(path).partition(5, elements=True)
    assert (found.parts == np.loadtxt(parts, dtype=int)).all()
    assert found.figures["copies"] == record["result"]["copies"]


def drawn(cli, tmp_path, *words):
    """The picture that a command draws."""
    path = tmp_path / "drawn.svg"
    cli(*words, "--svg", path)
    return path.read_text(encoding="utf-8")


def test_pictures_of_layouts(cli, forest, tmp_path):
    path, _, _ = forest
    tree = Tree.read(path)
    for curve, order in [("hilbert", "light-first"), ("z", "bfs")]:
        words = ["spatial", "layout", path, "--order", order, "--curve", curve]
        assert drawn(cli, tmp_path, *words) == tree.layout(curve, order).svg()


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("treefix", ["treefix", "--values", "whole"]),
        ("lca", ["lca", "--pairs", "pairs.csv"]),
        ("layout", ["layout", "--on-machine"]),
        ("reduce", ["message", "--kind", "reduce", "--values", "whole"]),
        ("broadcast", ["message", "--kind", "broadcast"]),
    ],
)
def test_pictures_and_views_of_programs(cli, forest, tmp_path, program, words):
    path, _, values = forest
    pairs, record = tmp_path / "pairs.csv", tmp_path / "record.json"
    pairs.write_text("3,5\n600,1\n77,78\n")
    verb, *options = [str(pairs) if word == "pairs.csv" else word for word in words]
    cli("spatial", verb, path, *options, "--seed", 3, "--record", record)
    given = {
        "treefix": {"values": values["whole"]},
        "reduce": {"values": values["whole"]},
        "lca": {"pairs": [(3, 5), (600, 1), (77, 78)]},
    }
    found = spatial.run(program, Tree.read(path), seed=3, **given.get(program, {}))
    expected = json.loads(record.read_text(encoding="utf-8"))
    assert found.pictures == expected["pictures"]
    assert found.result == expected["result"]
    # Steps of the contraction, and queues of the replay, can be followed in both.
    views = {picture["name"] for picture in found.pictures if "view" in picture}
    assert views == ({"contraction", "queues"} if program == "treefix" else {"queues"})


def test_pictures_of_meshes(cli, tmp_path):
    plate, solid = tmp_path / "plate.msh", tmp_path / "solid.msh"
    graph, points, folder = tmp_path / "plate.mtx", tmp_path / "plate.xyz", tmp_path / "out"
    cli("mesh", "generate", "crack-plate:1500", "-o", plate)
    cli("mesh", "generate", "tetrahedra:5x4x3", "-o", solid)
    cli("mesh", "graph", plate, "-o", graph, "--output-xyz", points)
    for path, words, options in [
        (plate, [], {}),
        (solid, [], {}),
        (graph, ["--xyz", points], {"xyz": points}),
    ]:
        mesh = Mesh.read(path, **options)
        assert mesh.svg() == drawn(cli, tmp_path, "mesh", "info", path, *words)
        words = ["mesh", "partition", path, "-k", 6, *words]
        assert mesh.partition(6).svg() == drawn(cli, tmp_path, *words)
        if path != graph:
            found = mesh.partition(6, elements=True).svg()
            assert found == drawn(cli, tmp_path, *words, "--elements")
    cli("mesh", "map", plate, "--machine", "torus:3x3", "-o", folder)
    mapping = Mesh.read(plate).map("torus:3x3")
    assert mapping.partition_svg() == (folder / "partition.svg").read_text(encoding="utf-8")
    assert mapping.svg() == (folder / "placement.svg").read_text(encoding="utf-8")


def test_drawings_of_trees(cli, forest, tmp_path):
    path, parents, values = forest
    tree = Tree.read(path)
    inner = next(str(p) for p in parents if p > 0)
    words = ["tree", "draw", path]
    assert drawn(cli, tmp_path, *words) == tree.draw().svg
    found = tree.draw(layout="circular", colour=values["real"], colour_name="real", rows=30).svg
    assert drawn(cli, tmp_path, *words, "--layout", "circular", "--colour", "real", "--rows", 30) == found
    found = tree.draw(highlight={"5": "five"}, collapse=[inner], lengths=False, unit="x").svg
    options = ["--highlight", "5=five", "--collapse", inner, "--no-lengths", "--unit", "x"]
    assert drawn(cli, tmp_path, *words, *options) == found
    tree.page(tmp_path / "python.html", colour="length")
    cli(*words, "--colour", "length", "--html", tmp_path / "cli.html")
    assert (tmp_path / "python.html").read_bytes() == (tmp_path / "cli.html").read_bytes()
