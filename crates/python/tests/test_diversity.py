"""Diversity of samples: forms of counts, names, bad input, and the same answers as the command."""

import csv

import numpy as np
import pytest
from conftest import SHARED

import palmette
from palmette import Tree

NEWICK = "((a:1,b:2)x:3,(c:4,d:0.5)y:1)r:7;"
COUNTS = np.array([[5, 1, 0, 0], [0, 0, 2, 2.5], [0, 0, 0, 0], [10, 2, 0, 0]])


@pytest.fixture
def tree():
    return Tree.from_newick(NEWICK)


def test_forms_of_counts(tree):
    scipy = pytest.importorskip("scipy.sparse")
    pandas = pytest.importorskip("pandas")
    pd = tree.faith_pd(COUNTS)
    assert pd.tolist() == [6.0, 5.5, 0.0, 6.0]
    assert tree.faith_pd(COUNTS, root_length=True).tolist() == [13.0, 12.5, 0.0, 13.0]
    found = tree.unifrac(COUNTS, "weighted-normalised")
    assert found.shape == (4, 4) and (found == found.T).all()
    assert found[0, 3] == 0 and found[0, 2] == 1 and 0 < found[0, 1] <= 1
    names = ["d", "a", "c", "b"]
    order = [3, 0, 2, 1]
    for given in [COUNTS[:, order], COUNTS[:, order].tolist(), scipy.coo_array(COUNTS[:, order])]:
        assert (tree.unifrac(given, "weighted-normalised", tips=names) == found).all()
    frame = pandas.DataFrame(COUNTS[:, order], index=list("wxyz"), columns=names)
    for given in [frame, frame.astype(pandas.SparseDtype(float, 0))]:
        answer = tree.unifrac(given, "weighted-normalised")
        assert list(answer.index) == list(answer.columns) == list("wxyz")
        assert (answer.to_numpy() == found).all()
        assert tree.faith_pd(given).to_dict() == dict(zip("wxyz", pd))
    assert list(tree.faith_pd(COUNTS, samples=list("wxyz")).index) == list("wxyz")
    vertices = [tree.vertex(name) for name in "abcd"]
    assert (tree.faith_pd(COUNTS, tips=vertices) == pd).all()
    plain = Tree.from_parents([-1, 0, 0])
    assert plain.faith_pd([[1, 0], [1, 1]], lengths=[9, 2, 3]).tolist() == [2, 5]


def test_bad_input(tree):
    for call, kind, text in [
        (lambda: tree.faith_pd([[1, 2]]), ValueError, "expected 4 columns, the tips in preorder"),
        (lambda: tree.faith_pd([1, 2, 3, 4]), ValueError, "a row per sample"),
        (lambda: tree.faith_pd([[1, -2, 0, 0]]), ValueError, "count -2"),
        (lambda: tree.faith_pd([[1, np.nan, 0, 0]]), ValueError, "count NaN"),
        (lambda: tree.faith_pd([[1, 2]], tips=["a", "z"]), ValueError, "1 of 2 are not in newick: `z`"),
        (lambda: tree.faith_pd([[1, 2]], tips=["a", "x"]), ValueError, "`x`"),
        (lambda: tree.faith_pd([[1, 2]], tips=["a", "a"]), ValueError, "found 'a' twice"),
        (lambda: tree.faith_pd([[1, 2]], tips=["a"]), ValueError, "1 names for 2 columns"),
        (lambda: tree.faith_pd([[1]], tips=[0]), ValueError, "no tip"),
        (lambda: tree.faith_pd([[1]], tips=[99]), IndexError, "found 99"),
        (lambda: tree.faith_pd(COUNTS, samples=["w"]), ValueError, "1 names for 4 rows"),
        (lambda: tree.faith_pd([["p", 0, 0, 0]]), TypeError, "counts"),
        (lambda: tree.unifrac(COUNTS, "wieghted"), ValueError, "did you mean `weighted`"),
        (lambda: tree.unifrac(COUNTS, "faith"), ValueError, "expected a distance"),
        (lambda: tree.unifrac(COUNTS, "generalised", alpha=2), ValueError, "from 0 to 1"),
        (lambda: tree.unifrac(COUNTS, "kr", order=0.5), ValueError, "at least 1"),
        (lambda: Tree.from_newick("(a,b);").faith_pd([[1, 1]]), ValueError, "no branch lengths"),
        (lambda: Tree.from_newick("(a:1,a:2);").faith_pd([[1]], tips=["a"]), ValueError, "two tips"),
        (lambda: Tree.from_newick("(a:-1,b:2);").faith_pd([[1, 1]]), ValueError, "branch length -1"),
        (lambda: palmette.pcoa([[0, 1], [2, 0]]), ValueError, "symmetric"),
        (lambda: palmette.pcoa([[0, 1, 2]]), ValueError, "square or a condensed"),
        (lambda: palmette.pcoa([1, 2]), ValueError, "square or a condensed"),
        (lambda: palmette.pcoa([np.nan]), ValueError, "NaN"),
    ]:
        with pytest.raises(kind, match=text):
            call()
    answer = tree.faith_pd([[1, 2]], tips=["a", "z"], ignore_missing=True)
    assert answer.tolist() == [4.0]


def test_coordinates():
    random = np.random.default_rng(3)
    places = random.standard_normal((30, 3))
    distances = np.linalg.norm(places[:, None] - places[None], axis=2)
    found = palmette.pcoa(distances)
    assert found.coordinates.shape == (30, 3) and found.negative == (0, 0)
    again = np.linalg.norm(found.coordinates[:, None] - found.coordinates[None], axis=2)
    assert np.allclose(again, distances, atol=1e-7)
    assert np.isclose(found.proportions.sum(), 1)
    assert (np.diff(found.eigenvalues) <= 0).all()
    short = palmette.pcoa(distances[np.triu_indices(30, 1)], axes=2)
    assert np.allclose(abs(short.coordinates), abs(found.coordinates[:, :2]), atol=1e-6)


@pytest.mark.parametrize("metric", ["unweighted", "weighted", "weighted-normalised", "generalised", "kr"])
def test_same_as_the_command(cli, tmp_path, metric):
    folder = SHARED / "phylo" / "diversity"
    if not folder.exists():
        pytest.skip(f"{folder} is not here")
    table, out = folder / "table100x20.tsv", tmp_path / "out.csv"
    record = cli("tree", "diversity", folder / "tree100.nwk", table, "--metric", metric, "-o", out)
    assert record["result"]["samples"] == 20 and record["result"]["missing"] == 0
    with open(table, newline="") as file:
        header, *rows = csv.reader(file, delimiter="\t")
    counts = np.array([[float(cell) for cell in row[1:]] for row in rows]).T
    with open(out, newline="") as file:
        names, *lines = csv.reader(file)
    assert names[1:] == header[1:]
    expected = np.array([[float(cell) for cell in line[1:]] for line in lines])
    tree = Tree.read(folder / "tree100.nwk")
    assert (tree.unifrac(counts, metric, tips=[row[0] for row in rows]) == expected).all()
    cli("tree", "diversity", folder / "tree100.nwk", table, "--metric", "faith", "-o", out)
    with open(out, newline="") as file:
        expected = [float(row[1]) for row in list(csv.reader(file))[1:]]
    assert tree.faith_pd(counts, tips=[row[0] for row in rows]).tolist() == expected
