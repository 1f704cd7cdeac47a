"""Defaults in Python are those of the command line."""

import inspect

import numpy as np
import pytest
from test_graph import grid

from palmette import Graph, Mesh, Tree, spatial


def defaults(function):
    """The defaults of a signature by name."""
    found = inspect.signature(function).parameters.values()
    return {p.name: p.default for p in found if p.default is not inspect.Parameter.empty}


@pytest.fixture(scope="module")
def files(cli, tmp_path_factory):
    folder = tmp_path_factory.mktemp("defaults")
    np.save(folder / "t.npy", np.array([-1, 0, 0, 1]))
    cli("graph", "generate", "grid:6x6", "-o", folder / "g.mtx")
    cli("mesh", "generate", "triangles:6x6", "-o", folder / "m.msh")
    return folder


@pytest.mark.parametrize(
    ("words", "function", "names"),
    [
        ("graph solve g.mtx --rhs random", Graph.solve, ["preconditioner", "tolerance", "seed"]),
        ("graph solve g.mtx --rhs random", Graph.solver, ["preconditioner", "tolerance", "seed"]),
        ("graph resistance g.mtx 1 2", Graph.resistance, ["preconditioner", "tolerance", "seed"]),
        ("graph sparsify g.mtx -o e.txt", Graph.sparsify, ["rule"]),
        (
            "mesh map m.msh --machine torus:2x2",
            Mesh.map,
            ["placement", "preset", "bisection", "refine", "imbalance", "contiguous", "seed", "routing"],
        ),
        (
            "mesh partition m.msh -k 4",
            Mesh.partition,
            ["refine", "imbalance", "contiguous", "seed"],
        ),
        ("spatial layout t.npy --order refined", Tree.layout, ["curve", "seed", "time_limit"]),
        ("spatial layout t.npy", Tree.layout, ["curve", "order"]),
        ("spatial treefix t.npy", spatial.run, ["curve", "seed", "op", "direction", "method"]),
        ("tree leaffix t.npy --op hash", Tree.leaffix, ["seed"]),
        ("tree leaffix t.npy", Tree.leaffix, ["op", "engine"]),
        ("tree rootfix t.npy --op hash", Tree.rootfix, ["seed"]),
    ],
)
def test_signatures(cli, files, tmp_path, monkeypatch, words, function, names):
    monkeypatch.chdir(tmp_path)
    words = [files / word if (files / word).is_file() else word for word in words.split()]
    parameters = cli(*words)["parameters"]
    stated = defaults(function)
    for name in names:
        assert parameters[name] == stated[name], name


def test_iterations(cli, files):
    """None is the library's default."""
    graph = Graph.from_scipy(grid(6, ground=1.0))
    assert defaults(graph.solve)["max_iterations"] is None
    record = cli("graph", "solve", files / "g.mtx", "--rhs", "random")
    most = record["parameters"]["max_iterations"]
    _, found = graph.solve(np.ones(36))
    _, stated = graph.solve(np.ones(36), max_iterations=most)
    assert found.iterations == stated.iterations
