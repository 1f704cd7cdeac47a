"""Tables of other libraries: trees and values from their memory, results for them, their files."""

import gc

import duckdb
import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.feather
import pyarrow.parquet as pq
import pytest
from conftest import random_parents

import palmette
from palmette import Tree

PARTS = {
    "id": ["car", "axle", "wheel", "body"],
    "parent": [None, "car", "axle", "car"],
    "kg": [1.0, 2.0, 4.0, 8.0],
}
SUMS = [15.0, 6.0, 4.0, 8.0]


def from_duckdb(table):
    return duckdb.from_arrow(table)


#: The same table in every library.
LIBRARIES = {
    "pyarrow": pa.table,
    "batches": lambda columns: pa.table(columns).to_reader(2),
    "batch": lambda columns: pa.table(columns).combine_chunks().to_batches()[0],
    "polars": pl.DataFrame,
    "pandas": lambda columns: pd.DataFrame(columns),
    "duckdb": lambda columns: from_duckdb(pa.table(columns)),
}


@pytest.mark.parametrize("library", LIBRARIES)
def test_trees_from_tables(library):
    made = LIBRARIES[library]
    tree = Tree.from_arrow(made(PARTS))
    assert tree.labels == PARTS["id"]
    assert tree.parents.tolist() == [-1, 0, 1, 0]
    renamed = {"part": PARTS["id"], "of": PARTS["parent"], "length": [0.0, 1.0, 2.0, 3.0]}
    tree = Tree.from_arrow(made(renamed), "part", "of")
    assert tree.parents.tolist() == [-1, 0, 1, 0]
    assert tree.distance("wheel", "body") == 6.0


@pytest.mark.parametrize("width", ["int8", "int16", "int32", "int64", "uint8", "uint32", "uint64"])
def test_integers_of_any_width(width):
    ids = pa.array([7, 3, 9], width)
    parents = pa.array([None, 7, 3], width)
    tree = Tree.from_arrow(pa.table({"id": ids, "parent": parents}))
    assert (tree.labels, tree.parents.tolist()) == (["7", "3", "9"], [-1, 0, 1])
    # A slice has an offset, for the entries and for the bits of nulls.
    ids, parents = pa.array([0, 7, 3, 9], width), pa.array([1, None, 7, 3], width)
    tree = Tree.from_arrow(pa.table({"id": ids.slice(1), "parent": parents.slice(1)}))
    assert tree.parents.tolist() == [-1, 0, 1]


@pytest.mark.parametrize(
    "kind",
    [pa.string(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int8(), pa.string()),
     pa.dictionary(pa.uint32(), pa.large_string())],
    ids=str,
)
def test_texts_of_any_layout(kind):
    names = ["x", "a name of more than twelve bytes", "", "é", "another long name of a vertex"]
    ids = pa.array([f"{name}{v}" for v, name in enumerate(names)])
    parents = pa.array([None, *ids.to_pylist()[:-1]])
    table = pa.table({"id": ids.cast(kind), "parent": parents.cast(kind)})
    for given in [table, table.slice(0, 4), pa.concat_tables([table.slice(0, 2), table.slice(2)])]:
        tree = Tree.from_arrow(given)
        assert tree.labels == ids.to_pylist()[: len(given)]
        assert tree.parents.tolist() == list(range(-1, len(given) - 1))


@pytest.mark.parametrize(
    ("columns", "message"),
    [
        ({"id": [1, None], "parent": [None, 1]}, "row 1: expected the name of a vertex in column"),
        ({"id": [1, 1], "parent": [None, 1]}, "row 1: expected a name of its own (row 0 already"),
        ({"id": [1, 2], "parent": [None, 5]}, "row 1: expected the name of a parent, or null"),
        ({"id": [1, 2], "parent": [None, "1"]}, "expected integers in column `parent`, as in"),
        ({"id": [1.5, 2], "parent": [None, 1]}, "integers or text in column `id`, found float64"),
        ({"id": [[1], [2]], "parent": [None, 1]}, "column `id`, found a nested type (list)"),
        ({"id": [1, 2], "parent": [None, None]}, "pass forest=True"),
        ({"id": [1, 2], "parent": [None, 2]}, "pass self_root=True"),
        ({"id": [1, 2]}, "expected columns for a vertex and its parent"),
    ],
)
def test_what_is_wrong_is_named(columns, message):
    with pytest.raises(ValueError) as error:
        Tree.from_arrow(pa.table(columns))
    assert message in str(error.value)


def test_parents_without_a_type(tmp_path):
    """What libraries make of a column that has nothing but nulls."""
    table = pa.table({"id": [7], "parent": pa.nulls(1)})
    pq.write_table(table, tmp_path / "t.parquet")
    pyarrow.feather.write_feather(table, tmp_path / "t.arrow")
    for tree in [Tree.from_arrow(table), *map(Tree.read, tmp_path.iterdir())]:
        assert (tree.labels, tree.parents.tolist()) == (["7"], [-1])
    with pytest.raises(ValueError, match="row 0: expected the name of a vertex in column `id`"):
        Tree.from_arrow(pa.table({"id": pa.nulls(1), "parent": pa.nulls(1)}))


@pytest.mark.parametrize(
    "kind", [pa.decimal128(9, 2), pa.date32(), pa.timestamp("us"), pa.bool_(), pa.list_(pa.int64())],
    ids=str,
)
def test_types_of_files_that_no_tree_has(tmp_path, kind):
    path = tmp_path / "t.parquet"
    pq.write_table(pa.table({"id": pa.nulls(2, kind), "parent": [None, 1]}), path)
    with pytest.raises(ValueError, match="expected numbers or text in column `id`, found"):
        Tree.read(path)


def test_columns_that_are_not_there():
    with pytest.raises(ValueError, match="expected a column `part`, found the 3 columns id, parent"):
        Tree.from_arrow(pa.table(PARTS), "part")
    with pytest.raises(ValueError, match="a column of parents beside `id`"):
        Tree.from_arrow(pa.table(PARTS), "id", "id")


def test_what_is_no_table():
    for thing in [[1, 2], np.arange(3), pa.array([1, 2]), None]:
        with pytest.raises(TypeError, match="expected a table of pyarrow"):
            Tree.from_arrow(thing)


COLUMNS = {
    "array": lambda x: pa.array(x),
    "chunks": lambda x: pa.chunked_array([x[:1], x[1:3], x[3:]]),
    "slice": lambda x: pa.array([*x, *x]).slice(len(x)),
    "polars": lambda x: pl.Series("kg", x),
    "pandas": lambda x: pd.Series(x),
    "arrow-backed": lambda x: pd.Series(x, dtype=pd.ArrowDtype(pa.array(x).type)),
    "relation": lambda x: from_duckdb(pa.table({"kg": x})),
}


@pytest.mark.parametrize("library", COLUMNS)
def test_values_from_columns(library):
    tree = Tree.from_arrow(pa.table(PARTS))
    column = COLUMNS[library](np.array(PARTS["kg"]))
    assert tree.leaffix(column).tolist() == SUMS
    column = COLUMNS[library](np.array([1, 2, 4, 8], np.int32))
    found = tree.leaffix(column)
    assert (found.tolist(), found.dtype) == ([15, 6, 4, 8], np.int64)
    if library != "arrow-backed":  # pandas makes null of NaN there
        column = COLUMNS[library](np.array([1.0, np.nan, 4.0, 8.0]))
        assert np.isnan(tree.leaffix(column)[0])


def test_nulls_and_several_columns_are_refused():
    tree = Tree.from_arrow(pa.table(PARTS))
    for column in [pa.array([1, 2, None, 4]), pl.Series([1.0, 2.0, None, 4.0])]:
        with pytest.raises(ValueError, match="values: expected numbers, found null at 2"):
            tree.leaffix(column)
    with pytest.raises(ValueError, match="expected one column, found 3"):
        tree.leaffix(pa.table(PARTS))
    with pytest.raises(TypeError, match="expected numbers"):
        tree.leaffix(pa.array(["a", "b", "c", "d"]))


def test_structs_are_no_columns_of_numbers():
    tree = Tree.from_arrow(pa.table(PARTS))
    struct = pa.array([{"kg": float(kg)} for kg in PARTS["kg"]])
    columns = {
        "array": struct,
        "chunks": pa.chunked_array([struct]),
        "polars": pl.Series("parts", struct.to_pylist()),
        "arrow-backed": pd.Series(struct.to_pylist(), dtype=pd.ArrowDtype(struct.type)),
    }
    for library, column in columns.items():
        with pytest.raises(ValueError, match="values: .* found a struct with the field `kg`"):
            tree.leaffix(column)
        assert library
    two = pa.array([{"a": 1, "b": 2}] * 4)
    with pytest.raises(ValueError, match="found a struct with the fields `a`, `b`; pass a field"):
        tree.leaffix(two)
    # A table of one column is that column, whatever it comes as.
    table = pa.table({"kg": pa.array(PARTS["kg"])})
    tables = [table, table.to_batches()[0], table.to_reader(), pl.from_arrow(table)]
    for one in [*tables, from_duckdb(table), palmette.to_arrow({"kg": np.array(PARTS["kg"])})]:
        assert tree.leaffix(one).tolist() == SUMS


def test_nothing_is_copied():
    values = pa.array(np.arange(1000, dtype=np.float64))
    lent = palmette._palmette.arrow_numbers(values, "values")
    assert lent.ctypes.data == values.buffers()[1].address and not lent.flags.writeable
    joined = palmette._palmette.arrow_numbers(pa.chunked_array([values, values]), "values")
    assert joined.ctypes.data != values.buffers()[1].address and len(joined) == 2000
    back = pa.array(palmette.to_arrow(lent))
    assert back.buffers()[1].address == values.buffers()[1].address
    del lent, values
    gc.collect()
    assert back.to_numpy().sum() == 499500.0


def test_results_for_other_libraries():
    tree = Tree.from_arrow(pa.table(PARTS))
    results = tree.to_arrow({"kg": tree.leaffix(PARTS["kg"]), "size": tree.sizes()})
    expected = {"vertex": PARTS["id"], "kg": SUMS, "size": [4, 2, 1, 1]}
    assert (len(results), results.column_names) == (4, list(expected))
    assert pa.table(results).to_pydict() == expected
    assert pa.record_batch(results).to_pydict() == expected
    assert pl.DataFrame(results).to_dict(as_series=False) == expected
    assert pd.DataFrame.from_arrow(results).to_dict("list") == expected
    assert duckdb.sql("select sum(kg) from results").fetchall() == [(33.0,)]
    numbers = palmette.to_arrow(tree.sizes())
    assert pa.array(numbers).to_pylist() == [4, 2, 1, 1]
    assert pl.Series(numbers).to_list() == [4, 2, 1, 1]
    # What is never taken is released with its capsule.
    for _ in range(3):
        results.__arrow_c_stream__(), results.__arrow_c_array__(), results.__arrow_c_schema__()
    kept = pl.DataFrame(tree.to_arrow({"size": tree.sizes()}))
    del tree, results
    gc.collect()
    assert kept["size"].to_list() == [4, 2, 1, 1]
    with pytest.raises(ValueError, match="size: expected 2 rows, found 3"):
        palmette.to_arrow({"x": [1, 2], "size": [1, 2, 3]})
    with pytest.raises(TypeError, match="x: expected integers or floats"):
        palmette.to_arrow({"x": ["a"]})


def test_names_that_are_integers_stay_so():
    tree = Tree.from_arrow(pa.table({"id": [30, 10, 20], "parent": [None, 30, 30]}))
    assert pa.table(tree.to_arrow({})).to_pydict() == {"vertex": [30, 10, 20]}
    plain = Tree.from_parents([-1, 0])
    assert pa.table(plain.to_arrow({})).to_pydict() == {"vertex": [0, 1]}


def parquet(table, path, **options):
    pq.write_table(table, path, **options)


def polars_parquet(table, path, **options):
    pl.from_arrow(table).write_parquet(path, **options)


def duckdb_parquet(table, path, options="", /):
    copy = f"copy (select * from t) to '{path}' (format parquet {options})"
    duckdb.from_arrow(table).query("t", copy)


def feather(table, path, **options):
    pyarrow.feather.write_feather(table, path, **options)


def stream(table, path):
    with pa.OSFile(str(path), "wb") as file, pa.ipc.new_stream(file, table.schema) as out:
        out.write_table(table, 300)


def polars_ipc(table, path, **options):
    pl.from_arrow(table).write_ipc(path, **options)


WRITERS = {
    "plain": lambda t, p: parquet(t, p, compression="none", use_dictionary=False),
    "snappy": lambda t, p: parquet(t, p, compression="snappy"),
    "gzip": lambda t, p: parquet(t, p, compression="gzip"),
    "zstd": lambda t, p: parquet(t, p, compression="zstd", row_group_size=500),
    "lz4": lambda t, p: parquet(t, p, compression="lz4", data_page_size=700),
    "second version": lambda t, p: parquet(t, p, data_page_version="2.0", use_dictionary=False),
    "differences": lambda t, p: parquet(
        t, p, use_dictionary=False,
        column_encoding={"id": "DELTA_BINARY_PACKED", "parent": "DELTA_BINARY_PACKED",
                         "name": "DELTA_BYTE_ARRAY", "of": "DELTA_LENGTH_BYTE_ARRAY",
                         "kg": "BYTE_STREAM_SPLIT"}),
    "polars": polars_parquet,
    "polars, pages": lambda t, p: polars_parquet(t, p, compression="snappy", row_group_size=333),
    "duckdb": duckdb_parquet,
    "duckdb 2": lambda t, p: duckdb_parquet(t, p, ", parquet_version v2, compression zstd"),
    "feather": feather,
    "feather zstd": lambda t, p: feather(t, p, compression="zstd", chunksize=400),
    "feather plain": lambda t, p: feather(t, p, compression="uncompressed"),
    "stream": stream,
    "polars ipc": polars_ipc,
    "polars ipc lz4": lambda t, p: polars_ipc(t, p, compression="lz4"),
}


def sample(n=1500):
    parents = random_parents(n, 3)
    random = np.random.default_rng(5)
    above = [None if p < 0 else int(p) * 3 for p in parents]
    name = [f"vertex number {v}" if v % 3 else f"v{v}" for v in range(n)]
    return pa.table({
        "id": pa.array(np.arange(n) * 3), "parent": pa.array(above, pa.int64()),
        "name": name, "of": pa.array([None if p < 0 else name[p] for p in parents]),
        "kg": random.standard_normal(n), "whole": random.integers(-9, 9, n).astype(np.int32),
        "gap": pa.array([None if v % 7 == 0 else v for v in range(n)], pa.int64()),
        "kind": pa.array([f"kind {v % 5}" for v in range(n)]).dictionary_encode(),
        "list": pa.array([[v] for v in range(n)]),
    })


@pytest.mark.parametrize("writer", WRITERS)
def test_files_of_other_libraries(cli, tmp_path, writer):
    """The command reads what every library writes, and they read what it writes."""
    table = sample()
    text = tmp_path / "tree.csv"
    pd.DataFrame({name: table[name].to_pandas() for name in ["id", "parent", "kg", "whole", "gap"]}
                 ).astype({"parent": "Int64", "gap": "Int64"}).to_csv(text, index=False)
    path = tmp_path / "tree.bin"
    WRITERS[writer](table, path)
    for name in ["kg", "whole"]:
        cli("tree", "leaffix", text, "--values", name, "-o", tmp_path / "a.csv")
        cli("tree", "leaffix", path, "--values", name, "-o", tmp_path / "b.csv")
        assert (tmp_path / "a.csv").read_text() == (tmp_path / "b.csv").read_text()
    missing = ["--values", "gap", "--missing-value", "1"]
    cli("tree", "rootfix", text, *missing, "-o", tmp_path / "a.csv")
    cli("tree", "rootfix", path, *missing, "-o", tmp_path / "b.parquet")
    expected = pd.read_csv(tmp_path / "a.csv")
    assert pd.read_parquet(tmp_path / "b.parquet").equals(expected)
    assert pl.read_parquet(tmp_path / "b.parquet").to_pandas().equals(expected)
    assert duckdb.sql(f"from '{tmp_path}/b.parquet'").df().equals(expected)
    # With names for ids.
    named = table.select(["name", "of"]).rename_columns(["id", "parent"])
    WRITERS["plain" if writer == "differences" else writer](named, path)
    tree = Tree.read(path)
    assert tree.labels == table["name"].to_pylist()
    assert np.array_equal(tree.parents, Tree.read(text).parents)


def test_files_that_the_command_writes(cli, tmp_path):
    """Trees go to Parquet and Arrow and back, for every reader."""
    cli("tree", "generate", "phylogeny:99", "--lengths", "--seed", "7", "-o", tmp_path / "a.nwk")
    for name in ["a.parquet", "a.arrow", "a.feather"]:
        cli("tree", "convert", tmp_path / "a.nwk", "-o", tmp_path / name)
        cli("tree", "convert", tmp_path / name, "-o", tmp_path / "b.nwk")
        assert (tmp_path / "a.nwk").read_text() == (tmp_path / "b.nwk").read_text()
    found = pq.read_table(tmp_path / "a.parquet")
    assert found.equals(pyarrow.feather.read_table(tmp_path / "a.feather").cast(found.schema))
    assert pl.read_ipc(tmp_path / "a.arrow").equals(pl.read_parquet(tmp_path / "a.parquet"))
    text = tmp_path / "a.csv"
    cli("tree", "convert", tmp_path / "a.nwk", "-o", text)
    expected = pl.read_csv(text, schema=pl.from_arrow(found).schema)
    assert pl.from_arrow(found).equals(expected)
    with pa.ipc.open_file(str(tmp_path / "a.arrow")) as file:
        assert file.read_all().num_rows == len(found)
