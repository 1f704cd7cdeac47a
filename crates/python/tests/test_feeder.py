"""Feeders: the same answers as the command, arrays with names, cases, outages."""

import csv
import json

import numpy as np
import pytest

import palmette

CASE = """function mpc = small
mpc.version = '2';
mpc.baseMVA = 10;
mpc.bus = [
1 3 0 0 0 0 1 1 0 12.66 1 1 1;
2 1 1 0.6 0 0 1 1 0 12.66 1 1 1;
3 1 0.9 0.4 0 0 1 1 0 12.66 1 1 1;
];
mpc.gen = [1 0 0 10 -10 1 100 1 10 0];
mpc.branch = [
1 2 0.01 0.005 0 0 0 0 0 0 1;
2 3 0.02 0.01 0 0 0 0 0 0 1;
];
"""


@pytest.fixture
def path(tmp_path):
    path = tmp_path / "small.m"
    path.write_text(CASE)
    return path


def test_one_flow_is_that_of_the_command(cli, path, tmp_path):
    out, flows = tmp_path / "v.csv", tmp_path / "b.csv"
    record = cli("power", "flow", path, "-o", out, "--branches", flows)
    feeder = palmette.power.read(path)
    assert repr(feeder) == "<Feeder of 3 buses, balanced>"
    assert feeder.load_names == ["2", "3"]
    assert np.allclose(feeder.loads, [1 + 0.6j, 0.9 + 0.4j])
    flow = feeder.flow()
    assert flow.info == record["result"]
    with open(out, newline="") as file:
        rows = list(csv.DictReader(file))
    assert flow.names == [row["bus"] for row in rows]
    assert np.array_equal(flow.buses["vm_pu"], [float(row["vm_pu"]) for row in rows])
    assert np.allclose(abs(flow.voltages), flow.buses["vm_pu"])
    with open(flows, newline="") as file:
        loss = [float(row["loss_mw"]) for row in csv.DictReader(file)]
    assert np.array_equal(flow.branches["loss_mw"], loss)
    assert sum(loss) == pytest.approx(flow.losses_mw, abs=1e-9)
    assert flow.profile().svg.startswith("<svg") and flow.one_line().svg.startswith("<svg")


def test_cases_are_factors_or_powers(path):
    feeder = palmette.power.read(path)
    factors = np.array([[1.0, 1.0], [0.5, 0.5], [900.0, 900.0]])
    cases = feeder.flow(factors)
    assert cases.converged.tolist() == [True, True, False]
    assert cases.voltages.shape == (3, 3) and np.isnan(cases.voltages[2]).all()
    assert cases.columns == ["1", "2", "3"]
    one = feeder.flow()
    assert np.allclose(cases.voltages[0], one.buses["vm_pu"], atol=1e-9)
    again = feeder.flow(factors[:2] * feeder.loads)
    assert np.allclose(again.voltages, cases.voltages[:2], rtol=0, atol=1e-9)
    assert feeder.flow(feeder.loads).voltages.shape == (1, 3)
    with pytest.raises(ValueError, match=r"expected shape \(cases, 2\), found \(1, 3\)"):
        feeder.flow([[1.0, 2.0, 3.0]])
    with pytest.raises(ValueError, match="finite"):
        feeder.flow([[np.nan, 1.0]])


def test_outages_and_loading(path):
    feeder = palmette.power.read(path)
    outages = feeder.outages()
    assert outages.cases["branch"] == ["1", "2"]
    assert outages.cases["unsupplied"] == ["2 3", "3"]
    found = feeder.flow(max_loading=True).info
    assert found["max_load_factor"] > found["certified_factor"] > 1
    with pytest.raises(ValueError, match="carries at most"):
        feeder.flow(load_factor=1e4)


def test_three_phases_and_shapes(cli, tmp_path):
    feeder = palmette.power.Feeder.generate("feeder3:40", seed=2)
    assert feeder.phases == 3
    flow = feeder.flow()
    assert set(flow.buses["phase"]) == {"a", "b", "c"}
    cases = feeder.flow(np.ones((2, len(feeder.loads))))
    assert cases.voltages.shape == (2, 120)
    assert np.allclose(cases.voltages[0], flow.buses["vm_pu"])
    cli("power", "generate", "feeder3:40", "--seed", "2", "-o", tmp_path / "made")
    again = palmette.power.read(tmp_path / "made")
    assert np.allclose(again.flow().buses["vm_pu"], flow.buses["vm_pu"], atol=1e-9)


def test_bad_input_is_an_error(path, tmp_path):
    with pytest.raises(ValueError, match="line 12: expected the number of a bus"):
        path.write_text(CASE.replace("2 3 0.02", "2 7 0.02"))
        palmette.power.read(path)
    with pytest.raises(ValueError, match="line 7: no source supplies bus `3`"):
        path.write_text(CASE.replace("0 0 0 0 1;\n];\n", "0 0 0 0 0;\n];\n"))
        palmette.power.read(path).flow()
    with pytest.raises(FileNotFoundError):
        palmette.power.read(tmp_path / "none.dss")
    with pytest.raises(ValueError, match="feeder format"):
        palmette.power.read(path, format="matlab")


def test_pandapower_networks_come_without_files():
    pandapower = pytest.importorskip("pandapower")
    net = pandapower.create_empty_network()
    first, second = pandapower.create_bus(net, 20.0), pandapower.create_bus(net, 20.0)
    pandapower.create_ext_grid(net, first, vm_pu=1.01)
    pandapower.create_line_from_parameters(net, first, second, 5.0, 0.3, 0.2, 200.0, 0.3)
    pandapower.create_load(net, second, 3.0, 1.0)
    pandapower.runpp(net, tolerance_mva=1e-10)
    flow = palmette.power.from_pandapower(net).flow()
    assert np.allclose(flow.buses["vm_pu"], net.res_bus.vm_pu, atol=1e-9)
    assert json.dumps(flow.info)
    pandas = pytest.importorskip("pandas")
    assert isinstance(flow.buses_to_pandas(), pandas.DataFrame)
