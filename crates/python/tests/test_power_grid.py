"""Chips' grids in Python: the same as the command, as arrays."""

import json

import numpy as np
import pytest

import palmette

GRID = """* row
V1 p1 0 1
L1 p1 q1 1n
R1 q1 n1_0_0 1
R2 n1_0_0 n1_1_0 1
R3 n1_1_0 p2 1
V2 p2 0 1
I1 n1_1_0 0 100m
I2 n1_0_0 0 0 PULSE(0 50m 1n 1n 1n 2n 10n)
C1 n1_0_0 0 1p
.tran 100p 5n
.print tran v(n1_0_0) i(V1)
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "grid.spice"
    path.write_text(GRID)
    return path


def test_drop(path, cli):
    grid = palmette.power.read(path)
    drop = grid.drop(limit=0.06)
    voltage = dict(zip(drop.nodes, drop.voltages))
    assert voltage["n1_1_0"] == pytest.approx(1 - 0.2 / 3)
    assert drop.worst[0] == "n1_1_0" and drop.over_limit == ["R3", "V2"]
    current = dict(zip(drop.elements, drop.currents))
    assert current["R2"] == pytest.approx(0.1 / 3) and current["L1"] == pytest.approx(0.1 / 3)
    assert drop.powers.sum() == pytest.approx(0.0, abs=1e-12)
    found = cli("power", "drop", path)["result"]
    for key in ("worst_drop", "supplied", "losses", "min_voltage", "worst_node"):
        assert drop.info[key] == found[key]
    assert drop.picture().svg.startswith("<svg")
    removed = grid.drop(remove_pads=["V2"], add=[("p1", "n1_1_0", 1.0)], set={"R2": 2.0})
    assert removed.elements[-1] == "added_1" and removed.info["updates"] == 3
    # Names are the same in large and small letters.
    same = grid.drop(remove_pads=["v2"], add=[("P1", "N1_1_0", 1.0)], set={"r2": 2.0})
    np.testing.assert_array_equal(same.voltages, removed.voltages)
    with pytest.raises(ValueError, match="line 4.*a voltage source"):
        grid.drop(remove_pads=["R1"])


def test_scenarios(path):
    grid = palmette.power.read(path)
    found = grid.scenarios({"I1": np.array([0.0, 1.0, 2.0]), "I2": np.array([np.nan] * 3)})
    np.testing.assert_allclose(found.drops, [0, 0.2 / 3, 0.4 / 3], atol=1e-12)
    assert [found.nodes[k] for k in found.at[1:]] == ["n1_1_0"] * 2
    assert found.worst_cases[found.nodes.index("n1_0_0")] == 2
    amperes = grid.scenarios({"*": [0.1]}, values="current")
    assert amperes.drops[0] > found.drops[1]
    with pytest.raises(ValueError, match="`R1`"):
        grid.scenarios({"R1": [1.0]})


def test_transient(path, cli, tmp_path):
    grid = palmette.power.read(path)
    waves = grid.transient()
    assert waves.names == ["v(n1_0_0)", "i(V1)"] and waves.values.shape == (51, 2)
    assert waves["v(n1_0_0)"].min() == pytest.approx(1 - waves.worst_drops[waves.nodes.index("n1_0_0")])
    record = cli("power", "transient", path, "-o", tmp_path / "w.npy")
    table = np.load(tmp_path / "w.npy")
    np.testing.assert_array_equal(table[:, 1:], waves.values)
    assert record["result"]["steps"] == waves.info["steps"] == 50
    other = grid.transient(step=1e-11, nodes=["n1_1_0"], method="backward-euler")
    assert other.info["steps"] == 500 and other.names == ["v(n1_1_0)"]
    assert other.picture().svg.startswith("<svg")
    with pytest.raises(KeyError):
        _ = other["v(none)"]


def test_pandas(path):
    pandas = pytest.importorskip("pandas")
    grid = palmette.power.read(path)
    assert grid.drop().to_pandas().loc["p2", "voltage"] == 1.0
    assert grid.drop().elements_to_pandas().loc["V1", "current"] < 0
    frame = pandas.DataFrame({"I1": [1.0, 2.0]}, index=["one", "two"])
    assert list(grid.scenarios(frame).to_pandas().index) == ["one", "two"]
    assert list(grid.transient().to_pandas().columns) == ["v(n1_0_0)", "i(V1)"]


def test_bad_netlists(tmp_path):
    path = tmp_path / "bad.spice"
    path.write_text("* b\nR1 a 0 1\n.include bad.spice\n")
    with pytest.raises(ValueError, match="line 3: .*include themselves"):
        palmette.power.read(path)
    assert json.dumps(str(path))
