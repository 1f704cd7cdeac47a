"""Parsimony: inputs of all kinds, costs, and wrong input."""

import numpy as np
import pytest

from palmette import Tree

TREE = "((a,b)x,(c,d)y)r;"
SEQUENCES = {"a": "ACA", "b": "AGA", "c": "TCA", "d": "TGa"}


def test_scores_branches_and_states():
    tree = Tree.from_newick(TREE)
    found = tree.parsimony(SEQUENCES)
    assert found.score == 3 and found.site_scores.tolist() == [1, 2, 0]
    assert found.branch_scores.sum() == 3
    assert [found.states[tree.vertex(v)] for v in "rxy"] == ["WSA", "ASA", "TSA"]
    assert found.alphabet == "ACGT" and found.sets[tree.vertex("r")].tolist() == [9, 6, 1]
    assert tree.parsimony(SEQUENCES, states=None).states is None
    assert repr(found) == "<Parsimony of 3 sites: 3>"


def test_rows_of_costs_are_parents(tmp_path):
    tree = Tree.from_newick("(a,b,c)r;")
    sequences = {"a": "0", "b": "1", "c": "1"}
    found = tree.parsimony(sequences, cost=[[0, 3], [1, 0]])
    assert found.score == 1 and found.states[0] == "1"
    path = tmp_path / "cost.tsv"
    path.write_text("from\t0\t1\n0\t0\t3\n1\t1\t0\n")
    assert tree.parsimony(sequences, cost=path, type="standard").score == 1


def test_a_caterpillar():
    n = 100_000
    parents = np.concatenate([[-1], np.arange(2 * n) // 2 * 2])
    tree = Tree.from_parents(parents)
    tips = int((tree.sizes() == 1).sum())
    letters = np.where(np.arange(tips) % 2, b"A", b"C").reshape(-1, 1)
    found = tree.parsimony(letters.astype("S1"))
    assert found.branch_scores.sum() == found.score > 0


@pytest.mark.parametrize(
    ("alignment", "options", "text"),
    [
        ({"a": "AC", "b": "AC", "c": "AC", "e": "AC"}, {}, "1 of 4 sequences is no tip.*ignore_missing"),
        ({"a": "AC", "b": "AC", "c": "AC"}, {}, "no sequence for 1 of 4 tips: `d`.*ignore_missing"),
        ({"a": "AC", "b": "A", "c": "AC", "d": "AC"}, {}, "expected 2 symbols"),
        ({"a": "AC", "b": "A!", "c": "AC", "d": "AC"}, {}, "found `!`; pass type="),
        (np.zeros((3, 2), dtype=np.uint8), {}, "a row per tip, 4 in all, found 3"),
        (SEQUENCES, {"cost": [1, 2]}, "square matrix"),
        (SEQUENCES, {"cost": [[0, 1], [1, 0]]}, "4 costs where 16 are expected"),
        (SEQUENCES, {"gaps": "none"}, "unknown treatment of gaps"),
    ],
)
def test_wrong_input(alignment, options, text):
    with pytest.raises(ValueError, match=text):
        Tree.from_newick(TREE).parsimony(alignment, **options)
