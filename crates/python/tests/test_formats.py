"""Trees in and out: files, texts, other packages."""

import sys

import numpy as np
import pytest
from conftest import SHARED, random_parents

from palmette import Tree

TEXT = "((a:1,'b c':2)95:1,('it''s':1,d:1)88.5:0.25)root;\n"


def same(one, other):
    """Whether two trees are the same in preorder, with all they have."""
    def told(tree):
        order = tree.preorder
        place = np.empty(len(tree), int)
        place[order] = np.arange(len(tree))
        parents = tree.parents[order]
        labels = tree._core.own_labels()
        lengths = None if tree.lengths is None else tree.lengths[order].tolist()
        support = np.full(len(tree), -1.0) if tree.support is None else tree.support[order]
        return (
            np.where(parents < 0, -1, place[parents]).tolist(),
            [labels[v] for v in order],
            lengths,
            np.nan_to_num(support, nan=-1.0).tolist(),
        )

    assert told(one) == told(other)


def test_texts_come_back():
    tree = Tree.from_newick(TEXT)
    assert tree.support.tolist()[1] == 95 and tree.labels[1] == "#1"
    assert tree.to_newick() == TEXT
    same(Tree.from_newick(tree.to_nexus()), tree)
    names = Tree.from_newick("((1,2)'7',(3,4)'9')'0';")
    assert names.support is None and names.labels[1] == "7"
    assert names.to_newick() == "((1,2)'7',(3,4)'9')'0';\n"
    assert Tree.from_newick("((1,2)'7',3);", support="yes").support[1] == 7
    assert Tree.from_newick("((1,2)7,3);", support="no").labels[1] == "7"
    with pytest.raises(ValueError, match="support"):
        Tree.from_newick("(1,2);", support="perhaps")
    assert Tree.from_parents([-1, 0, 0]).to_newick() == "(1,2)'0';\n"


@pytest.mark.parametrize("name", ["t.nwk", "t.nex", "t.csv", "t.tsv.gz", "t.parquet", "t.arrow"])
def test_files_come_back(tmp_path, name):
    text = "((a[&rate=0.5]:1,b[&rate=2,at=\"x, y\"]:2)95:1,(a:1,:1)88:1);"
    tree = Tree.from_newick(text)
    assert tree.annotations == {"rate": ["", "", "0.5", "2", "", "", ""],
                                "at": ["", "", "", "x, y", "", "", ""]}
    tree.write(tmp_path / name, annotations="beast")
    again = Tree.read(tmp_path / name)
    same(again, tree)
    assert {k: [v[u] for u in again.preorder] for k, v in again.annotations.items()} == tree.annotations


def test_what_cannot_be_written(tmp_path):
    tree = Tree.from_newick(TEXT)
    with pytest.raises(ValueError, match="unknown extension"):
        tree.write(tmp_path / "t.odd")
    with pytest.raises(ValueError, match="read, not written"):
        tree.write(tmp_path / "t.xml")
    with pytest.raises(ValueError, match="annotation style"):
        tree.to_newick(annotations="some")
    with pytest.raises(ValueError, match="network"):
        Tree.from_newick("(A,((B,(C)X#H1),(X#H1,D)));")
    assert list(tmp_path.iterdir()) == []


def test_tips_children_parents():
    tree = Tree.from_newick("((a,b)x,c)r;")
    assert tree.tips.tolist() == [2, 3, 4]
    assert tree.children("r").tolist() == [1, 4] and tree.children(2).tolist() == []
    assert tree.to_parents().tolist() == [-1, 0, 1, 1, 0]
    assert tree.to_parents(names=True)["a"] == "x"
    shuffled = Tree.from_parents(random_parents(200, 3))
    for v in range(200):
        assert all(shuffled.parents[shuffled.children(v)] == v)
    assert sum(len(shuffled.children(v)) for v in range(200)) == 199


def test_tables(monkeypatch):
    tree = Tree.from_newick("((a[&k=1]:1,b:2)95:3,c:4);")
    pandas = pytest.importorskip("pandas")
    frame = tree.table({"depth": tree.depth(lengths=True)})
    assert isinstance(frame, pandas.DataFrame) and len(frame) == 5
    assert list(frame.columns) == [
        "vertex", "name", "parent", "is_tip", "length", "support", "&k", "depth"
    ]
    monkeypatch.setitem(sys.modules, "pandas", None)
    arrays = tree.table(tips=True)
    assert isinstance(arrays, dict) and arrays["name"].tolist() == ["a", "b", "c"]
    with pytest.raises(ValueError, match="depth"):
        tree.table({"depth": [1, 2]})


def test_networkx():
    networkx = pytest.importorskip("networkx")
    tree = Tree.from_newick("((a:1,b:2)x:3,c:4)r;")
    graph = tree.to_networkx()
    assert networkx.is_arborescence(graph) and graph.edges["x", "b"]["length"] == 2
    same(Tree.from_networkx(graph, weight="length"), tree)
    unnamed = Tree.from_newick(TEXT)
    same(Tree.from_networkx(unnamed.to_networkx(), weight="length"), unnamed)
    graph.nodes["x"]["support"] = "high"
    with pytest.raises(ValueError, match="support: expected a number for each node.*'high'"):
        Tree.from_networkx(graph)
    assert sorted(Tree.from_parents([-1, 0]).to_networkx().nodes) == [0, 1]


@pytest.mark.parametrize("package", ["dendropy", "treeswift", "skbio", "ete4", "ete3"])
def test_other_packages(package):
    pytest.importorskip(package, reason=f"{package} is not installed")
    name = package.rstrip("34")
    tree = Tree.from_newick(TEXT)
    theirs = getattr(tree, f"to_{name}")()
    same(getattr(Tree, f"from_{name}")(theirs), tree)
    bare = Tree.from_newick("((a,b),c);")
    assert getattr(Tree, f"from_{name}")(getattr(bare, f"to_{name}")()).labels[2] == "a"
    with pytest.raises(TypeError, match="expected a tree of"):
        getattr(Tree, f"from_{name}")(7)
    with pytest.raises(ValueError, match="forest"):
        getattr(Tree.from_parents([-1, -1], forest=True), f"to_{name}")()
    # Deeper than Python's stack.
    deep = Tree.from_parents(np.arange(-1, 20_000))
    back = getattr(Tree, f"from_{name}")(getattr(deep, f"to_{name}")())
    assert len(back) == 20_001


def test_what_others_read():
    """The trees that we write are the same trees to them."""
    treeswift = pytest.importorskip("treeswift")
    tree = Tree.from_newick(TEXT)
    theirs = treeswift.read_tree_newick(tree.to_newick())
    lengths = {leaf.label: d for leaf, d in theirs.distances_from_root(internal=False)}
    ours = tree.depth(lengths=True)[tree.tips]
    assert np.allclose(sorted(lengths.values()), sorted(ours))
    dendropy = pytest.importorskip("dendropy")
    read = dendropy.Tree.get(data=tree.to_nexus(), schema="nexus", preserve_underscores=True)
    same(Tree.from_dendropy(read), tree)


def test_missing_lengths():
    treeswift = pytest.importorskip("treeswift")
    theirs = treeswift.read_tree_newick("(a:1,(b:2,c)x:1)r;")
    with pytest.raises(ValueError, match="c has no branch length"):
        Tree.from_treeswift(theirs)
    assert Tree.from_treeswift(theirs, missing_length=5).lengths.tolist() == [0, 1, 1, 2, 5]


def test_reference_files():
    """Against what DendroPy and Biopython read."""
    folder = SHARED / "phylo" / "formats"
    if not folder.exists():
        pytest.skip("the reference files are not here")
    beast = Tree.read(folder / "beast.nex", tree="marked")
    assert [beast.labels[v] for v in beast.tips] == ["A_one", "B two", "C's", "D4", "E,5;x"]
    assert Tree.read(folder / "example.phyloxml").support[1] == 89
