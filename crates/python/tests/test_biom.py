"""Tables of counts in BIOM 2.1 (HDF5), as biom-format and h5py write them."""

import random
import subprocess

import biom
import h5py
import numpy as np
import pytest
import scipy.sparse
from conftest import command

TREE = "(((a:1,b:2):0.5,'d e':3):1,(c:1,f:0.25):2);"
TIPS = ["d e", "a", "c", "b", "f"]
SAMPLES = ["S1", "S2", "empty", "S ü"]
COUNTS = np.array([[1, 0, 0, 2], [0, 7, 0, 0.5], [3, 0, 0, 0], [0, 1, 0, 9], [0, 0, 0, 4.0]])


def table(counts=COUNTS, tips=TIPS, samples=SAMPLES):
    return biom.Table(scipy.sparse.csr_matrix(counts), tips, samples)


def saved(path, whole, **options):
    with h5py.File(path, "w", **options) as file:
        whole.to_hdf5(file, "a test")
    return path


def faith(run, folder, name):
    (folder / "tree.nwk").write_text(TREE)
    out = folder / "out.csv"
    record = run("tree", "diversity", folder / "tree.nwk", folder / name, "--metric", "faith", "-o", out)
    return record, dict(line.rsplit(",", 1) for line in out.read_text().splitlines()[1:])


def by_text(run, folder, whole):
    """The same table as text."""
    (folder / "plain.tsv").write_text(whole.to_tsv() + "\n")
    return faith(run, folder, "plain.tsv")[1]


@pytest.mark.parametrize("options", [{}, {"libver": "v108"}, {"libver": "v110"}])
def test_what_biom_writes_is_read(cli, tmp_path, options):
    saved(tmp_path / "t.biom", table(), **options)
    record, found = faith(cli, tmp_path, "t.biom")
    assert record["result"]["samples"] == 4 and record["result"]["empty_samples"] == 1
    assert found == by_text(cli, tmp_path, table())
    assert found["S1"] == "7" and found["empty"] == "0"


def test_large_tables_have_many_chunks(cli, tmp_path):
    draw = np.random.default_rng(1)
    tips = [f"t{i}" for i in range(6000)]
    tree = "(" + ",".join(f"{tip}:{k % 7 + 1}" for k, tip in enumerate(tips)) + ");"
    counts = scipy.sparse.random(6000, 50, density=0.2, rng=draw, format="csr")
    counts.data = np.ceil(counts.data * 100)
    saved(tmp_path / "t.biom", biom.Table(counts, tips, [f"s{i}" for i in range(50)]))
    (tmp_path / "tree.nwk").write_text(tree)
    cli("tree", "diversity", tmp_path / "tree.nwk", tmp_path / "t.biom", "--metric", "faith", "-o", tmp_path / "o.npy")
    lengths = np.array([k % 7 + 1 for k in range(6000)])
    assert (np.load(tmp_path / "o.npy") == (counts != 0).T @ lengths).all()


def rewritten(path, to, change, **options):
    """Another file with the same tables, some of its datasets written in another way."""
    with h5py.File(path) as old, h5py.File(to, "w", **options) as new:
        for name in ("sample/ids", "observation/ids", "sample/matrix/indptr", "sample/matrix/indices",
                     "sample/matrix/data"):
            data, more = change(name, old[name][()])
            new.create_dataset(name, data=data, **more)


FORMS = {
    "plain": lambda name, data: (data, {}),
    "shuffled": lambda name, data: (data, {"compression": "gzip", "shuffle": True, "chunks": (3,)}),
    "small numbers": lambda name, data: (data.astype("f4" if name.endswith("data") else "u2"), {})
    if "matrix" in name else (data, {}),
    "big endian": lambda name, data: (data.astype(">f8" if name.endswith("data") else ">i8"), {"compression": 9})
    if "matrix" in name else (data, {}),
    "short texts": lambda name, data: (np.array([text for text in data], "S8"), {}) if "ids" in name else (data, {}),
    "one chunk": lambda name, data: (data, {"chunks": data.shape, "compression": 4}),
}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("libver", ["earliest", "v110", "latest"])
def test_other_forms(cli, tmp_path, form, libver):
    saved(tmp_path / "t.biom", table())
    rewritten(tmp_path / "t.biom", tmp_path / "other.biom", FORMS[form], libver=libver)
    if form == "shuffled" and libver != "earliest":
        with pytest.raises(AssertionError, match="libver"):
            faith(cli, tmp_path, "other.biom")
        return
    assert faith(cli, tmp_path, "other.biom")[1] == by_text(cli, tmp_path, table())


def test_samples_may_be_in_rows(cli, tmp_path):
    saved(tmp_path / "t.biom", table().transpose())
    (tmp_path / "tree.nwk").write_text(TREE)
    out = tmp_path / "out.csv"
    cli("tree", "diversity", tmp_path / "tree.nwk", tmp_path / "t.biom", "--metric", "faith", "--tips-in", "columns",
        "-o", out)
    found = dict(line.rsplit(",", 1) for line in out.read_text().splitlines()[1:])
    assert found == by_text(cli, tmp_path, table())


@pytest.mark.parametrize("change, text", [
    (lambda file: file["sample/matrix/data"].__setitem__(1, -1.0), "expected a count of 0 or more of `"),
    (lambda file: file["sample/matrix/data"].__setitem__(0, np.nan), "found NaN"),
    (lambda file: file["sample/matrix/indices"].__setitem__(0, 5), "whole numbers up to 4"),
    (lambda file: file["sample/matrix/indices"].__setitem__(0, -1), "found -1"),
    (lambda file: file["sample/matrix/indptr"].__setitem__(1, 7), "sample/matrix/indptr"),
    (lambda file: file["sample/ids"].__setitem__(1, "S1"), "two samples S1"),
    (lambda file: file.__delitem__("sample/matrix"), "the dataset sample/matrix/indptr of BIOM 2.1 (HDF5), found no matrix"),
    (lambda file: file.__delitem__("observation"), "the dataset observation/ids"),
])
def test_bad_tables_are_named(cli, tmp_path, change, text):
    path = saved(tmp_path / "t.biom", table())
    with h5py.File(path, "r+") as file:
        change(file)
    with pytest.raises(AssertionError) as error:
        faith(cli, tmp_path, "t.biom")
    assert text in str(error.value) and "t.biom" in str(error.value)
    assert not (tmp_path / "out.csv").exists()


def test_other_filters_are_refused(cli, tmp_path):
    saved(tmp_path / "t.biom", table())
    rewritten(tmp_path / "t.biom", tmp_path / "o.biom",
              lambda name, data: (data, {"compression": "lzf"} if name.endswith("data") else {}))
    with pytest.raises(AssertionError, match="deflate, shuffle or not at all, in HDF5, found filter 32000"):
        faith(cli, tmp_path, "o.biom")


def test_damaged_files_are_no_panic(tmp_path):
    (tmp_path / "tree.nwk").write_text(TREE)
    whole = saved(tmp_path / "t.biom", table(), libver="v108").read_bytes()
    old = saved(tmp_path / "t.biom", table()).read_bytes()
    draw = random.Random(4)
    for _ in range(80):
        data = bytearray(draw.choice([whole, old]))
        used = [k for k, byte in enumerate(data) if byte]
        for _ in range(draw.randrange(1, 6)):
            data[draw.choice(used)] = draw.choice([0, 1, 8, 127, 255, draw.randrange(256)])
        if draw.random() < 0.2:
            del data[draw.randrange(len(data)):]
        (tmp_path / "d.biom").write_bytes(data)
        words = ["tree", "diversity", tmp_path / "tree.nwk", tmp_path / "d.biom", "--metric", "faith", "-q"]
        done = subprocess.run([command(), *words], capture_output=True, text=True, check=False)
        assert done.returncode in (0, 2), done.stderr
