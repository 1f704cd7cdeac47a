"""Trees against each other: quartets, and whether roots count."""

import itertools
import warnings

import numpy as np
import pytest

import palmette

Tree = palmette.Tree


def newick(text):
    return Tree.from_newick(text)


def by_hand(a, b, tips):
    """The quartet distance by looking at every set of four: two are nearer to each other than to the others."""

    def state(tree, four):
        pairs = [((0, 1), (2, 3)), ((0, 2), (1, 3)), ((0, 3), (1, 2))]
        sums = [sum(tree.distance(four[i], four[j], lengths=False) for i, j in pair) for pair in pairs]
        least = min(sums)
        return sums.index(least) if sums.count(least) == 1 else None

    return sum(state(a, four) != state(b, four) for four in itertools.combinations(tips, 4))


def test_quartets():
    a = newick("((t0,t1),(t2,(t3,t4)),((t5,t6),t7,t8));")
    b = newick("((t0,t8),((t2,t4),t3),((t5,t1),(t7,t6)));")
    found = palmette.compare(a, b, quartets=True)
    assert found["quartet"] == by_hand(a, b, [f"t{k}" for k in range(9)])
    assert found["quartets"] == 126 and found["quartet_normalised"] == found["quartet"] / 126
    assert "quartet" not in palmette.compare(a, b)
    square = palmette.compare_all([a, b, a], "quartet")
    assert square[0, 1] == found["quartet"] and square[0, 2] == 0
    with pytest.raises(ValueError, match="quartet"):
        palmette.compare_all([a, b], "quartets")


def test_files_say_whether_trees_are_rooted():
    a, b = newick("[&R] ((a,b),(c,d));"), newick("[&R] (((a,b),c),d);")
    assert palmette.compare(a, b)["rf"] == 2
    assert palmette.compare(a, b, rooted=False)["rf"] == 0
    plain = newick("(((a,b),c),d);")
    assert palmette.compare(a, plain)["rf"] == 0
    assert palmette.compare(a, plain, rooted=True)["rf"] == 2


def test_differing_supports_at_the_root_are_told():
    tree = newick("((a:1,b:1)90:1,(c:1,d:1)70:1);")
    with pytest.warns(UserWarning, match="supports (90 and 70|70 and 90)"):
        assert np.nanmin(tree.reroot(outgroup="a").support) == 70
    with pytest.warns(UserWarning, match="smaller one holds"):
        tree.unroot()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        newick("((a:1,b:1)90:1,(c:1,d:1)90:1);").reroot(midpoint=True)


def test_a_graft_keeps_annotations():
    with_rate = newick("(a[&rate=1],b[&rate=2])x;").graft(newick("(c[&rate=3],d)y;"), below="x")
    assert dict(zip(with_rate.labels, with_rate.annotations["rate"])) == {
        "x": "", "a": "1", "b": "2", "y": "", "c": "3", "d": ""
    }


def test_ancestors_of_sets():
    tree = newick("((a,b)x,(c,d)y)r;")
    assert tree.label(tree.lca(["a", "b"])) == "x" and tree.label(tree.lca(["a", "b", "c"])) == "r"
    assert tree.lca(np.array([2])) == 2


def test_pages_open_in_a_form(tmp_path):
    tree = newick("((a,b)x,(c,d)y)r;")
    tree.page(tmp_path / "round.html", layout="circular")
    assert '"circular":true' in (tmp_path / "round.html").read_text()


def test_maps_of_distances():
    picture = palmette.distance_map(np.array([[0, 3, 4], [3, 0, 1], [4, 1, 0.0]]), ["sea", "land", "air"])
    assert "land" in picture.svg and "UPGMA" in picture.svg
    with pytest.raises(ValueError, match="names: 2 for 3"):
        palmette.distance_map([3.0, 4.0, 1.0], ["a", "b"])
