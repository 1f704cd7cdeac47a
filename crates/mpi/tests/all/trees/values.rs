//! Values of several columns, types and ways of adding; lengths.

use super::*;
use palmette::io::{
    Cells, Column, Format, Labels, ValueSlice, write_columns, write_parent_columns,
};

#[test]
fn several_columns_of_values_are_answered_each_for_itself() {
    let folder = Folder::new("mpi-columns");
    let n = 1500;
    let parents = shuffle(&generate(Shape::Preferential, n, 4).unwrap(), 5);
    let columns: [Vec<i64>; 3] =
        [7, 11, 13].map(|m| (0..n as i64).map(|v| v * 7919 % m - 3).collect());
    let mut table = String::from("id,parent,a,b,c\n");
    for (v, &parent) in parents.iter().enumerate() {
        let parent = if parent == NONE { String::new() } else { parent.to_string() };
        let [a, b, c] = [0, 1, 2].map(|k: usize| columns[k][v]);
        writeln!(table, "{v},{parent},{a},{b},{c}").unwrap();
    }
    let file = folder.write("t.csv", &table);
    let out = folder.0.join("out.csv");
    for (verb, direction, op, operator) in [
        ("leaffix", Direction::Leaffix, "sum", Operator::SUM),
        ("rootfix", Direction::Rootfix, "max", Operator::Max),
        ("leaffix", Direction::Leaffix, "hash", Operator::Hash { seed: 0 }),
    ] {
        let answers = columns.clone().map(|x| {
            let x = Values::I64(x);
            match expected(&parents, direction, operator, &x, Scope::Inclusive) {
                Values::I64(x) => x.iter().map(i64::to_string).collect::<Vec<_>>(),
                Values::U64(x) => x.iter().map(u64::to_string).collect(),
                _ => panic!("integers"),
            }
        });
        let mut wanted = format!("vertex,{op}_a,{op}_b,{op}_c\n");
        let [a, b, c] = &answers;
        for (v, ((a, b), c)) in a.iter().zip(b).zip(c).enumerate() {
            writeln!(wanted, "{v},{a},{b},{c}").unwrap();
        }
        for ranks in [1, 2, 3, 5] {
            let mut words = vec![verb, text(&file), "--op", op, "--values", "a,b,c"];
            words.extend(["-o", text(&out)]);
            words.extend((op == "hash").then_some(["--seed", "0"]).into_iter().flatten());
            record(ranks, &words);
            assert!(std::fs::read_to_string(&out).unwrap() == wanted, "{op} on {ranks} ranks");
        }
    }
    let array = folder.0.join("out.npy");
    let said =
        failure(&folder, 2, &["leaffix", text(&file), "--values", "a,b", "-o", text(&array)]);
    assert!(said.contains("one column"), "{said}");
    let said = failure(&folder, 2, &["leaffix", text(&file), "--op", "affine", "--values", "a"]);
    assert!(said.contains("affine takes 2 columns, not 1"), "{said}");
}

#[test]
fn depths_and_distances_by_length() {
    let folder = Folder::new("mpi-lengths");
    let n = 900;
    let parents = shuffle(&generate(Shape::Random, n, 3).unwrap(), 7);
    // Whole numbers, whose sums do not round in any order.
    let length = |v: usize| (v * 31 % 17) as f64;
    let mut table = String::from("id,parent,length\n");
    for (v, &parent) in parents.iter().enumerate() {
        let parent = if parent == NONE { String::new() } else { parent.to_string() };
        writeln!(table, "{v},{parent},{}", length(v)).unwrap();
    }
    let tree = folder.write("t.csv", &table);
    let up = |v: usize| Some(parents[v]).filter(|&parent| parent != NONE).map(|p| p as usize);
    let chain = |v: usize| std::iter::successors(Some(v), |&v| up(v));
    let depth =
        |v: usize| chain(v).filter(|&v| up(v).is_some()).map(length).fold(0.0, |a, b| a + b);
    let (mut pairs, mut wanted) = (String::from("u,v\n"), String::from("u,v,lca,length\n"));
    for k in 0..300 {
        let (u, v) = (k * 31 % n, k * 17 % n);
        let meet = chain(u).find(|&a| chain(v).any(|b| a == b)).unwrap();
        let distance = depth(u) + depth(v) - 2.0 * depth(meet);
        writeln!(pairs, "{u},{v}").unwrap();
        writeln!(wanted, "{u},{v},{meet},{distance}").unwrap();
    }
    let pairs = folder.write("pairs.csv", &pairs);
    let out = folder.0.join("out.csv");
    let mut depths = String::from("vertex,depth\n");
    (0..n).for_each(|v| writeln!(depths, "{v},{}", depth(v)).unwrap());
    for ranks in [1, 2, 4] {
        let lca = ["lca", text(&tree), "--pairs", text(&pairs), "-o", text(&out)];
        record(ranks, &[&lca[..], &["--distance", "--lengths"]].concat());
        assert_eq!(std::fs::read_to_string(&out).unwrap(), wanted, "{ranks} ranks");
        record(ranks, &["rootfix", text(&tree), "--op", "depth", "--lengths", "-o", text(&out)]);
        let found = std::fs::read_to_string(&out).unwrap();
        assert_eq!(found, depths, "{ranks} ranks");
    }
    let plain = folder.parents("t.npy", &parents);
    let words = ["lca", text(&plain), "--pairs", text(&pairs), "--distance", "--lengths"];
    assert!(failure(&folder, 2, &words).contains("has no columns"));
}

#[test]
fn values_have_the_first_type_that_holds_them_on_all_ranks() {
    let folder = Folder::new("mpi-types");
    for (last, kind) in [("7", "i64"), ("9223372036854775808", "u64"), ("0.5", "f64")] {
        // Only the last slice knows.
        let mut rows = String::from("id,parent,x\n0,,1\n");
        (1..99).for_each(|v| writeln!(rows, "{v},{},1", v / 2).unwrap());
        writeln!(rows, "99,49,{last}").unwrap();
        let table = folder.write("t.csv", rows.into_bytes());
        let found = record(3, &["rootfix", text(&table), "--op", "max", "--values", "x"]);
        assert_eq!(found["parameters"]["type"], kind);
        assert_eq!(found["parameters"]["values"], "x");
    }
    let halves = folder.values("halves.npy", &Values::F64(vec![0.5; 100]));
    let tree = folder.parents("t.npy", &[&[NONE][..], &[0; 99]].concat());
    let found = record(2, &["leaffix", text(&tree), "--values", text(&halves)]);
    assert_eq!(found["parameters"]["type"], "f64");
}

#[test]
fn sums_of_floats_can_be_trusted() {
    let folder = Folder::new("mpi-sums");
    let n = 2000;
    let parents = shuffle(&generate(Shape::Random, n, 15).unwrap(), 16);
    // Hard to sum: large numbers that nearly cancel.
    let value = |v: i64| (v * 7919 % 1009 - 504) as f64 * if v % 3 == 0 { 1e12 } else { 0.1 };
    let values = Values::F64((0..n as i64).map(value).collect());
    let (tree, x) = (folder.parents("t.npy", &parents), folder.values("x.npy", &values));
    let on_one = {
        let tree = Tree::from_parents(&parents).unwrap();
        let params = AggregateParams { summation: Summation::Exact, ..Default::default() };
        let values = [values.as_slice()];
        let answer = aggregate(&tree, Direction::Leaffix, Operator::SUM, &values, &params);
        answer.unwrap().numbers().unwrap().clone()
    };
    let Values::F64(exact) = &on_one else { panic!() };
    let mut wanted = Vec::new();
    write_npy_values(&mut wanted, &on_one).unwrap();
    let (array, table) = (folder.0.join("o.npy"), folder.0.join("o.csv"));
    let common = ["leaffix", text(&tree), "--values", text(&x), "--shares", "1,0,7", "--sum"];
    let exactly = [&common[..], &["exact", "-o", text(&array)]].concat();
    assert_eq!(record(3, &exactly)["parameters"]["sum"], "exact");
    assert!(std::fs::read(&array).unwrap() == wanted, "the bits of one machine");
    for how in ["plain", "compensated"] {
        record(3, &[&common[..], &[how, "--error-bound", "-o", text(&table)]].concat());
        let rows = std::fs::read_to_string(&table).unwrap();
        assert!(rows.starts_with("vertex,bound,sum\n"));
        for (row, exact) in rows.lines().skip(1).zip(exact) {
            let cells: Vec<f64> = row.split(',').map(|cell| cell.parse().unwrap()).collect();
            // What is taken as exact is off by half a place itself.
            let slack = exact.abs() * f64::EPSILON;
            assert!((cells[2] - exact).abs() <= cells[1] + slack, "{how}: {row}, not {exact}");
        }
    }
    let gaps = folder.values("gaps.npy", &Values::F64(vec![f64::NAN; n]));
    let gaps = ["leaffix", text(&tree), "--values", text(&gaps), "--allow-nan"];
    assert_eq!(record(2, &gaps)["result"]["nan_sums"], n);
    let csv = folder.write("gaps.csv", "id,parent,x\n0,,1\n1,0,nan\n2,0,0.5\n");
    let gaps = ["rootfix", text(&csv), "--values", "x", "--allow-nan", "-o", text(&table)];
    assert_eq!(record(3, &gaps)["result"]["nan_values"], 1);
    assert_eq!(std::fs::read_to_string(&table).unwrap(), "vertex,sum\n0,1\n1,NaN\n2,1.5\n");
    let far = folder.values("far.npy", &Values::F64(vec![1e308; n]));
    let large = record(2, &["rootfix", text(&tree), "--values", text(&far), "--type", "f64"]);
    assert!(large["result"]["overflows"].as_u64().unwrap() > 0, "{large}");
}

#[test]
fn row_groups_of_parquet_are_read_by_their_ranks() {
    let folder = Folder::new("mpi-parquet");
    // Two groups of rows, of which the second is short.
    let n = (1 << 20) + 5000;
    let parents = shuffle(&generate(Shape::Random, n, 3).unwrap(), 4);
    let weights: Vec<i64> = (0..n as i64).map(|v| v % 1009 - 500).collect();
    let weight = Column { name: "kg".into(), values: Values::I64(weights.clone()) };
    let labels = Labels::numbers(n);
    let mut bytes = Vec::new();
    write_parent_columns(&mut bytes, Format::Parquet, &parents, &labels, None, &[weight]).unwrap();
    let file = folder.write("tree.parquet", &bytes);
    let weights = Values::I64(weights);
    let (sum, scope) = (Operator::Sum { wrapping: false }, Scope::default());
    let wanted = expected(&parents, Direction::Leaffix, sum, &weights, scope);
    let wanted = std::fs::read(folder.values("wanted.npy", &wanted)).unwrap();
    let out = folder.0.join("out.npy");
    for ranks in [2, 3] {
        record(ranks, &["leaffix", text(&file), "--values", "kg", "-o", text(&out)]);
        assert!(std::fs::read(&out).unwrap() == wanted, "{ranks} ranks");
    }
    let refused = |name: &str, ids: Cells<'_>, message: &str| {
        let columns = [("id", ids), ("parent", Cells::Numbers(ValueSlice::I64(&[-1, 0, 1])))];
        let mut bytes = Vec::new();
        let texts = Labels::texts(["a", "b", "c"]);
        write_columns(&mut bytes, Format::Parquet, &texts, &columns).unwrap();
        let file = folder.write(name, &bytes);
        let said = failure(&folder, 2, &["leaffix", text(&file)]);
        assert!(said.contains(message), "{said}");
    };
    let gap = Cells::Numbers(ValueSlice::I64(&[0, 1, 2]));
    let gap = Cells::Where(&[true, false, true], &gap);
    let named = "row 1: expected the name of a vertex in column `id`, found null";
    refused("gap.parquet", gap, named);
    let slices = "expected integers in column `id`, to read in slices, found text";
    refused("texts.parquet", Cells::EachVertex, slices);
    bytes.truncate(bytes.len() - 9);
    let cut = folder.write("cut.parquet", &bytes);
    std::fs::remove_file(&out).unwrap();
    let said = failure(&folder, 2, &["leaffix", text(&cut), "-o", text(&out)]);
    assert!(said.contains("the footer of a Parquet file"), "{said}");
}
