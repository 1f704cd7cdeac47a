//! Aggregates as front ends call them: from bare parents, into memory of the caller's, in preorder,
//! of many columns.

use palmette::core::generate::shuffle;
use palmette::core::operator::Number;
use palmette::{
    AggregateError, AggregateParams, Answer, Direction, Measure, NONE, Operator, OperatorName,
    OperatorParams, Scope, Tree, TreeError, TreeParams, ValueSlice, Values, ValuesMut, aggregate,
    aggregate_columns, aggregate_into, aggregate_once,
};

const DIRECTIONS: [Direction; 2] = [Direction::Leaffix, Direction::Rootfix];

/// Every vertex hangs from an earlier one, as a fixed hash says; three are roots.
fn parents(n: usize) -> Vec<u32> {
    let above = |v: usize| match v {
        0 | 5 | 9 => NONE,
        v => ((v as u64).wrapping_mul(0x9E37_79B9_7F4A_7C15) % v as u64) as u32,
    };
    (0..n).map(above).collect()
}

fn made(parents: &[u32]) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, ..TreeParams::default() }).unwrap()
}

fn orders(n: usize) -> [Vec<u32>; 3] {
    let given = parents(n);
    let preorder = made(&given).parents().to_vec();
    let shuffled = shuffle(&given, 4);
    [given, preorder, shuffled]
}

fn columns(n: usize) -> [Values; 4] {
    let number = |v: usize| (v as i64 * 7919 % 1000) - 500;
    [
        Values::I64((0..n).map(number).collect()),
        Values::U64((0..n).map(|v| number(v).unsigned_abs()).collect()),
        Values::F64((0..n).map(|v| number(v) as f64 / 4.0).collect()),
        Values::F32((0..n).map(|v| number(v) as f32 / 4.0).collect()),
    ]
}

#[test]
fn one_question_needs_no_tree() {
    let mut answered = 0;
    for parents in orders(3000) {
        let tree = made(&parents);
        for values in columns(3000) {
            let slices = Values::slices(std::slice::from_ref(&values));
            for (name, direction) in
                OperatorName::ALL.into_iter().flat_map(|o| DIRECTIONS.map(|d| (o, d)))
            {
                let Ok(operator) = name.with(OperatorParams::default()) else { continue };
                let given = &slices[..name.value_columns().min(1)];
                let params = AggregateParams::default();
                let once = aggregate_once(&parents, true, direction, operator, given, &params);
                let expected = aggregate(&tree, direction, operator, given, &params);
                match (once, expected) {
                    // Quarters are added without rounding.
                    (Ok(Some(found)), Ok(expected)) => {
                        assert_eq!(found.columns, expected.columns, "{name}, {direction}");
                        assert_eq!(found.findings, expected.findings, "{name}, {direction}");
                        answered += 1;
                    }
                    (Ok(None), _) => (),
                    (Err(once), Err(expected)) => assert_eq!(once, expected),
                    (once, expected) => panic!("{name}: {once:?}, {expected:?}"),
                }
            }
        }
    }
    assert!(answered > 60, "{answered}");
}

#[test]
fn what_needs_a_tree_is_left_to_one() {
    let (parents, params) = ([NONE, 0, 0], AggregateParams::default());
    let ask = |values: ValueSlice<'_>, params: &AggregateParams| {
        let direction = Direction::Leaffix;
        aggregate_once(&parents, false, direction, Operator::SUM, &[values], params).unwrap()
    };
    assert!(ask(ValueSlice::I64(&[1, 2, 3]), &params).is_some());
    assert!(ask(ValueSlice::I64(&[1, i64::MAX, 3]), &params).is_none(), "may overflow");
    assert!(ask(ValueSlice::F64(&[1.0, f64::NAN, 3.0]), &params).is_none(), "findings");
    let exclusive = AggregateParams { scope: Scope::Exclusive, ..params };
    assert!(ask(ValueSlice::I64(&[1, 2, 3]), &exclusive).is_none());
}

#[test]
fn bare_parents_are_checked_as_trees_are() {
    let params = AggregateParams::default();
    let ask = |parents: &[u32], forest| {
        let values = vec![1; parents.len()];
        let values = [ValueSlice::I64(&values)];
        aggregate_once(parents, forest, Direction::Leaffix, Operator::SUM, &values, &params)
    };
    let many = AggregateError::Tree(TreeError::ManyRoots { first: 0, second: 2, count: 3 });
    assert_eq!(ask(&[NONE, 0, NONE, NONE], false), Err(many));
    assert!(ask(&[NONE, 0, NONE, NONE], true).is_ok());
    assert!(matches!(
        ask(&[1, 2, 0, NONE], true),
        Err(AggregateError::Tree(TreeError::Cycle { .. }))
    ));
    assert!(ask(&[NONE, 7], true).is_err());
}

/// Those of one type together, others each for itself.
#[test]
fn several_columns_need_no_tree() {
    let (n, params) = (1500, AggregateParams::default());
    for parents in orders(n) {
        let tree = made(&parents);
        let all = columns(n);
        let again: Vec<Values> = all.iter().flat_map(|x| [x.clone(), x.clone()]).collect();
        for (direction, operator) in
            DIRECTIONS.into_iter().flat_map(|d| [Operator::SUM, Operator::Max].map(|o| (d, o)))
        {
            for some in [&all[..], &again[..2], &again[2..6]] {
                let slices = Values::slices(some);
                let found = aggregate_once(&parents, true, direction, operator, &slices, &params);
                let expected = aggregate(&tree, direction, operator, &slices, &params).unwrap();
                if let Some(found) = found.unwrap() {
                    assert_eq!(found.columns, expected.columns, "{direction}");
                    assert_eq!(found.findings, expected.findings, "{direction}");
                } else {
                    let single = some.iter().any(|x| matches!(x, Values::F32(_)));
                    assert!(single && operator == Operator::Max, "f32 has no such engine");
                }
            }
        }
        let short = [ValueSlice::I64(&[1; 1500]), ValueSlice::I64(&[1])];
        assert!(
            aggregate_once(&parents, true, DIRECTIONS[0], Operator::SUM, &short, &params).is_err()
        );
    }
}

#[test]
fn measures_need_no_tree() {
    for parents in orders(2000) {
        let tree = made(&parents);
        let lengths: Vec<f64> = (0..2000).map(|v| f64::from(v % 8) / 8.0).collect();
        for measure in Measure::ALL {
            for lengths in [None, Some(&lengths[..])] {
                let found = measure.once(&parents, true, lengths).unwrap();
                let expected = measure.by_vertex(&tree, lengths).unwrap();
                assert_eq!(found, expected, "{measure}");
            }
        }
    }
}

fn numbers(answer: &Answer) -> &Values {
    answer.numbers().expect("one column of numbers")
}

#[test]
fn answers_go_where_they_are_wanted() {
    for parents in orders(500) {
        let tree = made(&parents);
        for (values, direction) in
            columns(500).into_iter().flat_map(|v| DIRECTIONS.map(|d| (v.clone(), d)))
        {
            for operator in [Operator::SUM, Operator::Max, Operator::Count] {
                let params = AggregateParams::default();
                let slices = Values::slices(std::slice::from_ref(&values));
                let given = &slices[..operator.name().value_columns()];
                let expected = aggregate(&tree, direction, operator, given, &params).unwrap();
                let mut out = numbers(&expected).clone();
                let to = match &mut out {
                    Values::I64(x) => ValuesMut::I64(cleared(x)),
                    Values::U64(x) => ValuesMut::U64(cleared(x)),
                    Values::F64(x) => ValuesMut::F64(cleared(x)),
                    Values::F32(x) => ValuesMut::F32(cleared(x)),
                };
                let filled =
                    aggregate_into(&tree, direction, operator, given, &params, to).unwrap();
                assert_eq!(&out, numbers(&expected));
                assert_eq!((filled.engine, filled.findings), (expected.engine, expected.findings));
            }
        }
    }
}

fn cleared<T: Number>(x: &mut [T]) -> &mut [T] {
    x.fill(T::ONE);
    x
}

#[test]
fn what_does_not_go_there_is_refused() {
    let tree = Tree::from_parents(&[NONE, 0, 0]).unwrap();
    let ask = |operator, out: ValuesMut<'_>| {
        let values = [ValueSlice::I64(&[i64::MAX, 1, 1])];
        aggregate_into(
            &tree,
            Direction::Leaffix,
            operator,
            &values,
            &AggregateParams::default(),
            out,
        )
    };
    use AggregateError as E;
    let expected = 3;
    assert_eq!(
        ask(Operator::Max, ValuesMut::I64(&mut [0])),
        Err(E::OutLength { expected, actual: 1 })
    );
    assert!(matches!(ask(Operator::Max, ValuesMut::F64(&mut [0.0; 3])), Err(E::OutType { .. })));
    assert!(matches!(ask(Operator::SUM, ValuesMut::F64(&mut [0.0; 3])), Err(E::OutType { .. })));
    assert!(matches!(ask(Operator::ArgMin, ValuesMut::I64(&mut [0; 3])), Err(E::Out { .. })));
    assert!(
        matches!(ask(Operator::SUM, ValuesMut::I64(&mut [0; 3])), Err(E::Treefix(_))),
        "overflow"
    );
    assert!(ask(Operator::Sum { wrapping: true }, ValuesMut::I64(&mut [0; 3])).is_ok());
}

#[test]
fn values_may_be_in_preorder() {
    let parents = &orders(400)[2];
    let tree = made(parents);
    let preorder = AggregateParams { preorder: true, ..AggregateParams::default() };
    let values: Vec<f64> = (0..400).map(f64::from).collect();
    let moved = tree.to_positions(&values).unwrap();
    for direction in DIRECTIONS {
        for operator in [Operator::SUM, Operator::Min] {
            let by_vertex = [ValueSlice::F64(&values)];
            let expected =
                aggregate(&tree, direction, operator, &by_vertex, &AggregateParams::default());
            let found =
                aggregate(&tree, direction, operator, &[ValueSlice::F64(&moved)], &preorder);
            let (Values::F64(found), Values::F64(expected)) =
                (numbers(&found.unwrap()).clone(), numbers(&expected.unwrap()).clone())
            else {
                panic!("floats stay floats")
            };
            assert_eq!(tree.to_vertices(&found).unwrap(), expected);
        }
    }
    // An overflow names the vertex, not the position.
    let mut large = vec![0i64; 400];
    large[tree.positions()[17] as usize] = i64::MAX;
    large[0] = 1;
    let given = [ValueSlice::I64(&large)];
    let error = aggregate(&tree, Direction::Rootfix, Operator::SUM, &given, &preorder);
    let by_vertex = tree.to_vertices(&large).unwrap();
    let given = [ValueSlice::I64(&by_vertex)];
    let params = AggregateParams::default();
    let expected = aggregate(&tree, Direction::Rootfix, Operator::SUM, &given, &params);
    assert_eq!(error.is_err(), expected.is_err());
}

#[test]
fn columns_of_a_matrix_overflow_one_by_one() {
    let tree = Tree::from_parents(&[NONE, 0, 0]).unwrap();
    let sums = |values: &[i64], wrapping| {
        let mut out = [0; 6];
        let to = ValuesMut::I64(&mut out);
        let params = AggregateParams::default();
        aggregate_columns(
            &tree,
            Direction::Leaffix,
            ValueSlice::I64(values),
            2,
            wrapping,
            &params,
            to,
        )
        .map(|_| out)
    };
    assert_eq!(sums(&[1, 2, 3, 4, 5, 6], false), Ok([9, 12, 3, 4, 5, 6]));
    assert_eq!(
        sums(&[i64::MAX, i64::MIN, 0, 3, -1, 2], false),
        Ok([i64::MAX - 1, i64::MIN + 5, 0, 3, -1, 2])
    );
    assert!(sums(&[1, i64::MAX, 3, 4, 5, 6], false).is_err());
    assert!(sums(&[1, i64::MAX, 3, 4, 5, 6], true).is_ok());
    let mut out = [0.0; 6];
    let values = ValueSlice::F64(&[f64::MAX, 1.0, f64::MAX, 2.0, 0.0, f64::NAN]);
    let (up, params) = (Direction::Leaffix, AggregateParams::default());
    let filled = aggregate_columns(&tree, up, values, 2, false, &params, ValuesMut::F64(&mut out));
    let findings = filled.unwrap().findings.unwrap();
    assert_eq!((findings.overflows, findings.nan_values, findings.nan_sums), (1, 1, 2));
}
