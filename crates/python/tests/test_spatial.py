"""Programs on the spatial computer."""

import json

import numpy as np
import pytest
from conftest import random_parents

from palmette import Record, Tree, spatial


@pytest.fixture(scope="module")
def tree():
    return Tree.from_parents(random_parents(500, 8))


def test_programs_give_what_the_host_gives(tree):
    values = np.random.default_rng(1).integers(-100, 100, 500)
    found = spatial.run("treefix", tree, values)
    assert (found.answer == tree.leaffix(values)).all()
    rounds = spatial.run("treefix", tree, values, method="published")
    assert (rounds.answer == found.answer).all()
    assert rounds.result["energy"] > found.result["energy"]
    found = spatial.run("treefix", tree, values, direction="rootfix", op="max")
    assert (found.answer == tree.rootfix(values, op="max")).all()
    pairs = np.random.default_rng(2).integers(0, 500, (40, 2))
    found = spatial.run("lca", tree, pairs=pairs)
    assert (found.answer == tree.lca(pairs[:, 0], pairs[:, 1])).all()
    found = spatial.run("layout", tree)
    assert (found.answer == tree.layout().positions).all()
    found = spatial.run("broadcast", tree)
    assert (found.answer == tree.parents).all()
    found = spatial.run("reduce", tree, values)
    below = np.zeros(500, int)
    np.add.at(below, tree.parents[tree.parents >= 0], values[tree.parents >= 0])
    assert (found.answer == below).all()


def test_records(tree, tmp_path):
    record = spatial.run("treefix", tree)
    assert isinstance(record, Record) and record.command == "spatial treefix"
    assert {*record} >= {"command", "input", "parameters", "seconds", "result"}
    assert record["result"] == record.result and record.seconds["compute"] > 0
    phases = record.result["phases"]
    assert sum(phase["energy"] for phase in phases) == record.result["energy"]
    html = record._repr_html_()
    assert "<table>" in html and "energy_per_vertex" in html and "<img" in html
    assert "<script" not in html and "<style" not in html
    path = tmp_path / "r.json"
    record.save(path)
    assert json.loads(path.read_text())["result"]["correct"] is True
    plain = spatial.run("treefix", tree, picture=False)
    assert plain.pictures == [] and [p["name"] for p in record.pictures] == ["contraction", "run", "queues"]
    assert plain.result["energy"] == record.result["energy"]


def test_delays_and_gifts(tree):
    values = np.arange(500)
    plain = spatial.run("treefix", tree, values, picture=False)
    assert plain.result["delivery"] == "step" and plain.result["given"] == []
    for delivery in ("manhattan", "random", "random:5+1-2/hop,ordered"):
        for seed in range(3):
            found = spatial.run("treefix", tree, values, delivery=delivery, seed=seed, picture=False)
            assert found.result["correct"] and (found.answer == plain.answer).all()
            assert found.result["delivery"].startswith(delivery)
    # Treefix needs nothing that could be given.
    free = spatial.run("treefix", tree, values, given="all", picture=False)
    assert free.result["given"] == []
    assert free.result["energy"] == plain.result["energy"] <= plain.result["energy_words"]
    paid = spatial.run("layout", tree, picture=False)
    free = spatial.run("layout", tree, given=["seed"], picture=False)
    assert free.result["given"] == ["seed"]
    assert free.result["energy"] < paid.result["energy"]


@pytest.mark.parametrize(
    ("program", "options", "error"),
    [
        ("sort", {}, ValueError),
        ("lca", {}, TypeError),
        ("lca", {"pairs": [1, 2]}, ValueError),
        ("lca", {"pairs": [[1, 500]]}, IndexError),
        ("lca", {"pairs": np.zeros((0, 2), int)}, ValueError),
        ("treefix", {"op": "mean"}, ValueError),
        ("treefix", {"direction": "up"}, ValueError),
        ("treefix", {"method": "theirs"}, ValueError),
        ("treefix", {"values": [1, 2]}, ValueError),
        ("treefix", {"curve": "snail"}, ValueError),
        ("treefix", {"order": "bfs"}, ValueError),
        ("treefix", {"grid": (3, 3)}, ValueError),
        ("treefix", {"op": "hash"}, ValueError),
        ("treefix", {"delivery": "manhattan:0"}, ValueError),
        ("treefix", {"delivery": "random:-3-5"}, ValueError),
        ("treefix", {"delivery": "pigeon"}, ValueError),
        ("treefix", {"given": "luck"}, ValueError),
        ("treefix", {"given": ["seed", "luck"]}, ValueError),
        ("treefix", {"values": [2**62] * 500}, ValueError),
    ],
)
def test_programs_that_cannot_run(tree, program, options, error):
    with pytest.raises(error):
        spatial.run(program, tree, **options)


def test_forests_and_other_things_are_refused():
    with pytest.raises(ValueError, match="root"):
        spatial.run("treefix", Tree.from_parents([-1, -1], forest=True))
    with pytest.raises(TypeError, match="palmette.Tree"):
        spatial.run("treefix", [-1, 0])
    empty = Tree.from_parents([])
    with pytest.raises(ValueError):
        spatial.run("treefix", empty)


def test_cycles(tree):
    found = spatial.run("treefix", tree).result
    assert found["cycles"] >= found["distance"] + 5 * (found["depth"] > 0)
    assert found["cycles"] >= found["max_link_words"] >= found["max_link_load"] > 0
    assert found["cycles_ratio"] == pytest.approx(found["cycles"] / found["cycles_estimate"])
    waited = sum(phase["cycles_waited"] for phase in found["phases"])
    assert waited == found["cycles_waited"]
    never = spatial.run("treefix", tree, replay="never").result
    assert never["cycles"] is None and never["energy"] == found["energy"]
    slow = spatial.run("treefix", tree, hop_latency=3, ramp_latency=9, picture=False)
    assert slow.result["cycles"] > found["cycles"]
    assert slow["parameters"]["network"] == {"hop": 3, "ramp": 9, "compute": 1, "capacity": 1}


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"hop_latency": -1}, "hop_latency: expected a whole number from 1 to 1000000, found -1"),
        ({"ramp_latency": 0}, "ramp_latency: expected a whole number from 1"),
        ({"link_capacity": 0}, "link_capacity: expected a whole number from 1"),
        ({"replay": "sometimes"}, "unknown choice `sometimes`"),
    ],
)
def test_routers_that_cannot_be(tree, options, words):
    with pytest.raises(ValueError, match=words):
        spatial.run("treefix", tree, **options)


def test_every_program_writes_a_trace(tmp_path):
    tree = Tree.from_parents([-1, 0, 0, 1, 1, 1])
    for program, options in (
        ("treefix", {}),
        ("treefix", {"method": "published"}),
        ("lca", {"pairs": [(3, 4), (3, 2)]}),
        ("layout", {}),
        ("broadcast", {}),
        ("reduce", {}),
    ):
        record = spatial.run(program, tree, trace=tmp_path / "run.goal", **options)
        lines = (tmp_path / "run.goal").read_text().splitlines()
        assert sum(": send " in line for line in lines) == record.result["messages"], program
    with pytest.raises(ValueError, match=r"run.html: expected a name that ends in goal"):
        spatial.run("treefix", tree, trace=tmp_path / "run.html")
