//! Every operator on every engine, against walks.

use palmette::io::{ValueSlice, Values};
use palmette::{
    AggregateError, AggregateParams, Answer, AnswerCells, Direction, Engine, Measure, Operator,
    OperatorName, OperatorParams, PathParams, Scope, Summation, aggregate_once, aggregate_paths,
};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::{NONE, Tree, TreeParams};
use palmette_tree::TreefixError;

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    Tree::from_parents(&shuffle(&generate(shape, n, seed).unwrap(), seed)).unwrap()
}

/// The vertices whose values make the answer at `v`, in order.
fn covered(tree: &Tree, direction: Direction, scope: Scope, v: u32) -> Vec<u32> {
    let position = tree.positions()[v as usize];
    let mut at: Vec<u32> = match direction {
        Direction::Leaffix => (position..tree.end(position)).collect(),
        Direction::Rootfix => {
            let up = std::iter::successors(Some(position), |&p| tree.parent(p));
            let mut path: Vec<u32> = up.collect();
            path.reverse();
            path
        }
    };
    if scope == Scope::Exclusive {
        at.retain(|&p| p != position);
    }
    at.into_iter().map(|p| tree.vertices()[p as usize]).collect()
}

fn aggregate(
    tree: &Tree,
    direction: Direction,
    operator: Operator,
    values: &[Values],
    params: &AggregateParams,
) -> Result<Answer, AggregateError> {
    palmette::aggregate(tree, direction, operator, &Values::slices(values), params)
}

fn along(
    tree: &Tree,
    pairs: &[(u32, u32)],
    operator: Operator,
    values: &[Values],
    on_edges: bool,
) -> Result<Answer, AggregateError> {
    aggregate_paths(tree, pairs, operator, &Values::slices(values), &PathParams { on_edges })
}

fn column(answer: &Answer, k: usize) -> &Values {
    match &answer.columns[k].cells {
        AnswerCells::Numbers(values) => values,
        AnswerCells::Vertices(_) => panic!("vertices"),
    }
}

#[test]
fn every_operator_on_every_engine_agrees_with_a_walk() {
    let n = 60;
    let x: Vec<i64> = (0..n as i64).map(|v| (v * 37) % 23 - 11).collect();
    let y: Vec<i64> = (0..n as i64).map(|v| (v * 11) % 7 - 3).collect();
    let (vx, vy) = (Values::I64(x.clone()), Values::I64(y.clone()));
    for shape in [Shape::Random, Shape::Path, Shape::Star, Shape::Binary] {
        let tree = tree(shape, n, 5);
        for direction in [Direction::Rootfix, Direction::Leaffix] {
            for scope in [Scope::Inclusive, Scope::Exclusive] {
                for engine in Engine::ALL {
                    let params = AggregateParams { scope, engine, ..Default::default() };
                    let run =
                        |op, values: &[Values]| aggregate(&tree, direction, op, values, &params);
                    let fold = |start: i64, f: fn(i64, i64) -> i64| {
                        let at = |v| covered(&tree, direction, scope, v);
                        let one = |v| at(v).iter().fold(start, |s, &u| f(s, x[u as usize]));
                        Values::I64((0..n as u32).map(one).collect())
                    };
                    let one = std::slice::from_ref(&vx);
                    let sum = run(Operator::SUM, one).unwrap();
                    assert_eq!(sum.numbers(), Some(&fold(0, |a, b| a + b)), "{shape} {engine}");
                    let xor = run(Operator::Xor, one).unwrap();
                    assert_eq!(xor.numbers(), Some(&fold(0, |a, b| a ^ b)));
                    let min = run(Operator::Min, one);
                    if engine == Engine::Euler {
                        assert_eq!(min, Err(TreefixError::NeedsInverse.into()));
                        continue;
                    }
                    assert_eq!(min.unwrap().numbers(), Some(&fold(i64::MAX, i64::min)));
                    let or = run(Operator::Or, one).unwrap();
                    assert_eq!(or.numbers(), Some(&fold(0, |a, b| a | b)));
                    let product = run(Operator::Product { modulus: 101 }, one).unwrap();
                    let Values::I64(expected) = fold(1, |a, b| (a * b).rem_euclid(101)) else {
                        panic!()
                    };
                    let expected = expected.into_iter().map(|v| v as u64).collect();
                    assert_eq!(product.numbers(), Some(&Values::U64(expected)));

                    let affine = Operator::Affine { modulus: Some(101) };
                    let affine = run(affine, &[vx.clone(), vy.clone()]).unwrap();
                    let most = run(Operator::ArgMax, one).unwrap();
                    let AnswerCells::Vertices(places) = &most.columns[1].cells else { panic!() };
                    for v in 0..n as u32 {
                        let at = covered(&tree, direction, scope, v);
                        let (mut a, mut b) = (1, 0);
                        for &u in &at {
                            let (c, d) = (x[u as usize], y[u as usize]);
                            (a, b) = ((a * c).rem_euclid(101), (a * d + b).rem_euclid(101));
                        }
                        let coefficient = |k| match column(&affine, k) {
                            Values::U64(x) => x[v as usize] as i64,
                            _ => panic!(),
                        };
                        assert_eq!((coefficient(0), coefficient(1)), (a, b));
                        let best = at.iter().copied().min_by_key(|&u| (-x[u as usize], u));
                        assert_eq!(places[v as usize], best.unwrap_or(NONE));
                    }
                }
            }
        }
    }
}

#[test]
fn hashes_count_and_floats() {
    let tree = tree(Shape::Random, 500, 3);
    let params = AggregateParams::default();
    let ones = [Values::U64(vec![1; 500])];
    let count = aggregate(&tree, Direction::Leaffix, Operator::Count, &[], &params).unwrap();
    let sum = aggregate(&tree, Direction::Leaffix, Operator::SUM, &ones, &params).unwrap();
    assert_eq!(count.numbers(), sum.numbers());
    let hash =
        aggregate(&tree, Direction::Leaffix, Operator::Hash { seed: 0 }, &ones, &params).unwrap();
    let (Some(Values::U64(hash)), Some(Values::U64(sizes))) = (hash.numbers(), sum.numbers())
    else {
        panic!()
    };
    for u in 0..500 {
        for v in 0..500 {
            assert_eq!(hash[u] == hash[v], sizes[u] == sizes[v], "same sequences, same hashes");
        }
    }
    let halves = [Values::F32(vec![0.5; 500])];
    let sum = aggregate(&tree, Direction::Rootfix, Operator::SUM, &halves, &params).unwrap();
    let depths = Measure::Depth.by_vertex(&tree, None).unwrap();
    let (Some(Values::F32(sum)), Values::U64(depths)) = (sum.numbers(), depths) else { panic!() };
    assert!(sum.iter().zip(&depths).all(|(&s, &d)| s == (d + 1) as f32 / 2.0));
    let matrix = vec![Values::F64(vec![1.0; 500]); 4];
    let product =
        aggregate(&tree, Direction::Rootfix, Operator::Matrix { modulus: None }, &matrix, &params);
    let Values::F64(corner) = column(&product.unwrap(), 3).clone() else { panic!() };
    assert!(corner.iter().zip(&depths).all(|(&c, &d)| c == 2f64.powi(d as i32)));
}

#[test]
fn overflow_is_decided_by_the_exact_sum() {
    // 0 is the root of 1 and 2; the partial sums of the root wrap, its sum does not.
    let tree = Tree::from_parents(&[NONE, 0, 0]).unwrap();
    let fits = [Values::I64(vec![i64::MAX, 1, -5])];
    let wraps = [Values::I64(vec![i64::MAX, 1, 5])];
    let unsigned = [Values::U64(vec![u64::MAX, 1, 0])];
    for engine in Engine::ALL {
        let params = AggregateParams { engine, ..Default::default() };
        let sum = |values: &[Values], wrapping| {
            aggregate(&tree, Direction::Leaffix, Operator::Sum { wrapping }, values, &params)
        };
        let right = sum(&fits, false).unwrap();
        assert_eq!(right.numbers(), Some(&Values::I64(vec![i64::MAX - 4, 1, -5])), "{engine}");
        let error = |exact| Err(TreefixError::Overflow { vertex: 0, exact }.into());
        assert_eq!(sum(&wraps, false), error(i128::from(i64::MAX) + 6), "{engine}");
        assert_eq!(sum(&unsigned, false), error(i128::from(u64::MAX) + 1), "{engine}");
        let wrapped = sum(&wraps, true).unwrap();
        assert_eq!(wrapped.numbers(), Some(&Values::I64(vec![i64::MIN + 5, 1, 5])), "{engine}");
    }
    let sums = |pairs: &[(u32, u32)]| along(&tree, pairs, Operator::SUM, &fits, false);
    let answer = sums(&[(1, 2), (2, 0)]).unwrap();
    assert_eq!(answer.numbers(), Some(&Values::I64(vec![i64::MAX - 4, i64::MAX - 5])));
    let exact = i128::from(i64::MAX) + 1;
    assert_eq!(sums(&[(2, 2), (1, 0)]), Err(AggregateError::PathOverflow { pair: 1, exact }));
}

#[test]
fn paths_have_directions_edges_and_gaps() {
    let forest = TreeParams { forest: true, ..Default::default() };
    // Two trees: 1 and 2 below 0; 4 below 3.
    let tree = Tree::with_params(&[NONE, 0, 0, NONE, 3], forest).unwrap();
    let values = [Values::I64(vec![1, 10, 100, 1000, 10_000])];
    let pairs = [(1, 2), (1, 4), (3, 4), (0, 0)];
    let sums = |on_edges| along(&tree, &pairs, Operator::SUM, &values, on_edges).unwrap();
    assert_eq!(sums(false).present, Some(vec![true, false, true, true]));
    assert_eq!(sums(false).numbers(), Some(&Values::I64(vec![111, 0, 11_000, 1])));
    assert_eq!(sums(true).numbers(), Some(&Values::I64(vec![110, 0, 10_000, 0])));
    let maps =
        [Values::F64(vec![2.0, 3.0, 5.0, 1.0, 1.0]), Values::F64(vec![0.0, 1.0, 2.0, 0.0, 0.0])];
    let affine = Operator::Affine { modulus: None };
    let there = along(&tree, &[(1, 2), (2, 1)], affine, &maps, false);
    // 3(2(5x + 2)) + 1 and 5(2(3x + 1)) + 2.
    assert_eq!(column(&there.unwrap(), 1), &Values::F64(vec![13.0, 12.0]));
}

#[test]
fn names_and_operators_are_the_same() {
    for name in OperatorName::ALL {
        let modular = OperatorParams { modulus: Some(7), ..OperatorParams::default() };
        let operator = name.with(modular).or_else(|_| name.with(OperatorParams::default()));
        let operator = operator.unwrap();
        assert_eq!((operator.name(), operator.to_string()), (name, name.to_string()));
        assert_eq!(operator.modulus().is_some(), name.with(modular).is_ok());
    }
}

#[test]
fn what_does_not_fit_is_refused() {
    let tree = tree(Shape::Path, 4, 1);
    let params = AggregateParams::default();
    let run = |op, values: &[Values]| {
        aggregate(&tree, Direction::Leaffix, op, values, &params).unwrap_err().to_string()
    };
    let with = |name: OperatorName, modulus| {
        let params = OperatorParams { modulus, ..OperatorParams::default() };
        name.with(params).unwrap_err().to_string()
    };
    let (ints, floats) = (Values::I64(vec![1; 4]), Values::F64(vec![1.0; 4]));
    let cases = [
        (run(Operator::SUM, &[]), "operator 'sum' takes 1 column(s)"),
        (run(Operator::SUM, &[Values::I64(vec![1; 3])]), "3 values for 4 vertices"),
        (run(Operator::Xor, &[floats]), "integers (i64 or u64), not f64"),
        (run(Operator::Product { modulus: 0 }, &[ints]), "needs a modulus"),
        (with(OperatorName::Product, None), "needs a modulus"),
        (with(OperatorName::Affine, Some(0)), "needs a modulus"),
        (with(OperatorName::Sum, Some(5)), "takes no modulus"),
        ("total".parse::<OperatorName>().unwrap_err().to_string(), "expected one of sum, min"),
    ];
    for (message, part) in cases {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn sums_of_floats_are_as_good_as_asked() {
    // Vertices are not in the order of positions.
    let tree = Tree::from_parents(&[1, NONE, 0, 2]).unwrap();
    let values = [Values::F32(vec![1.0, 1e8, -1e8, 0.5])];
    let sum = |summation, error_bound| {
        let params = AggregateParams { summation, error_bound, ..Default::default() };
        aggregate(&tree, Direction::Rootfix, Operator::SUM, &values, &params).unwrap()
    };
    let plain = sum(Summation::Plain, true);
    assert_eq!(plain.columns.iter().map(|c| c.name).collect::<Vec<_>>(), ["bound", "sum"]);
    assert_eq!(column(&plain, 1), &Values::F32(vec![1e8, 1e8, 0.0, 0.5]));
    let Values::F64(bounds) = column(&plain, 0) else { panic!() };
    assert!(bounds[1] == 0.0 && bounds[2] >= 1.0 && bounds[3] >= 1.0, "{bounds:?}");
    for summation in [Summation::Compensated, Summation::Exact] {
        let right = sum(summation, false);
        assert_eq!(right.numbers(), Some(&Values::F32(vec![1e8, 1e8, 1.0, 1.5])));
        assert_eq!(right.findings, Some(Default::default()));
    }
    let params = AggregateParams { error_bound: true, ..Default::default() };
    let ints = [Values::I64(vec![1; 4])];
    let refused = aggregate(&tree, Direction::Leaffix, Operator::SUM, &ints, &params);
    let message = refused.unwrap_err().to_string();
    assert!(message.contains("operator 'sum' on i64"), "{message}");
}

#[test]
fn columns_together_are_as_column_by_column() {
    let n = 30_000;
    let params = AggregateParams::default();
    for shape in [Shape::Random, Shape::Path] {
        let parents = shuffle(&generate(shape, n, 5).unwrap(), 5);
        let value = |v: usize, k: usize| ((v * (k + 3)) % 1000) as f64 / 7.0;
        let columns: Vec<Vec<f64>> =
            (0..7).map(|k| (0..n).map(|v| value(v, k)).collect()).collect();
        let columns: Vec<ValueSlice<'_>> = columns.iter().map(|c| ValueSlice::F64(c)).collect();
        for direction in [Direction::Leaffix, Direction::Rootfix] {
            let once = |columns: &[ValueSlice<'_>]| {
                let found =
                    aggregate_once(&parents, false, direction, Operator::SUM, columns, &params);
                found.unwrap().unwrap()
            };
            let single: Vec<Values> =
                columns.iter().map(|&column| once(&[column]).numbers().unwrap().clone()).collect();
            for count in 2..=7 {
                let found = once(&columns[..count]);
                let found: Vec<&Values> = found
                    .columns
                    .iter()
                    .map(|column| match &column.cells {
                        AnswerCells::Numbers(values) => values,
                        other => panic!("{other:?}"),
                    })
                    .collect();
                // To the last bit.
                assert!(found.into_iter().eq(&single[..count]), "{shape:?}, {count} columns");
            }
        }
    }
}
