//! Several columns, and many trees, against the host. `gpu/tests` has the engines.

use palmette::core::generate::{Shape, generate, shuffle};
use palmette::gpu::{Device, DeviceParams};
use palmette::{
    AggregateError, AggregateParams, DeviceEngine, Direction, Operator, Tree, ValueSlice,
    aggregate, device_aggregate,
};

fn forest(trees: u64) -> Tree {
    let tree = |seed| {
        let parents = generate(Shape::Random, 40 + seed as usize, seed).unwrap();
        Tree::from_parents(&shuffle(&parents, seed)).unwrap()
    };
    let trees: Vec<Tree> = (0..trees).map(tree).collect();
    Tree::join(&trees.iter().collect::<Vec<_>>()).unwrap()
}

fn numbers(n: usize, seed: i64) -> Vec<i64> {
    (0..n as i64).map(|k| (k + seed) * 0x9E37_79B9 % 10_007 - 5000).collect()
}

#[test]
fn columns_are_answered_in_order() {
    let device = Device::open(&DeviceParams::default()).unwrap();
    let tree = forest(9);
    let n = tree.len();
    let x: Vec<Vec<i64>> = (0..3).map(|k| numbers(n, k)).collect();
    let f: Vec<f32> = x[0].iter().map(|&x| x as f32).collect();
    let columns = [
        ValueSlice::I64(&x[0]),
        ValueSlice::I64(&x[1]),
        ValueSlice::F32(&f),
        ValueSlice::I64(&x[2]),
    ];
    let (operator, params) = (Operator::SUM, AggregateParams::default());
    for engine in [DeviceEngine::Auto, DeviceEngine::Contract, DeviceEngine::Trees] {
        for direction in [Direction::Rootfix, Direction::Leaffix] {
            let on = |columns: &[ValueSlice<'_>], operator| {
                device_aggregate(&device, &tree, direction, operator, columns, &params, engine)
            };
            let found = on(&columns, operator).unwrap();
            assert_eq!(found.answer.columns.len(), 4);
            if engine == DeviceEngine::Auto {
                assert_eq!(found.engine, DeviceEngine::Trees);
            }
            for (column, found) in columns.iter().zip(&found.answer.columns) {
                let host = aggregate(&tree, direction, operator, &[*column], &params).unwrap();
                assert_eq!(found.cells, host.columns[0].cells, "{engine}, {direction}");
            }
            // Two answers per column.
            let found = on(&columns[..2], Operator::ArgMin).unwrap();
            let host = |k: usize| {
                let column = &columns[k..=k];
                aggregate(&tree, direction, Operator::ArgMin, column, &params).unwrap().columns
            };
            assert_eq!(found.answer.columns, [host(0), host(1)].concat());
        }
    }
}

#[test]
fn bounds_stand_before_their_sums() {
    let device = Device::open(&DeviceParams::default()).unwrap();
    let tree = forest(2);
    let x: Vec<f32> = (0..tree.len()).map(|k| k as f32 / 3.0).collect();
    let columns = [ValueSlice::F32(&x), ValueSlice::F32(&x)];
    let params = AggregateParams { error_bound: true, ..Default::default() };
    let (direction, engine) = (Direction::Leaffix, DeviceEngine::Auto);
    let found =
        device_aggregate(&device, &tree, direction, Operator::SUM, &columns, &params, engine);
    let names: Vec<&str> = found.unwrap().answer.columns.iter().map(|c| c.name).collect();
    assert_eq!(names, ["bound", "sum", "bound", "sum"]);
}

#[test]
fn columns_that_do_not_suit() {
    let device = Device::open(&DeviceParams::default()).unwrap();
    let tree = forest(2);
    let x = numbers(tree.len(), 1);
    let short = [ValueSlice::I64(&x), ValueSlice::I64(&x[1..])];
    let params = AggregateParams::default();
    let on = |operator, columns: &[ValueSlice<'_>], engine| {
        let direction = Direction::Leaffix;
        device_aggregate(&device, &tree, direction, operator, columns, &params, engine).unwrap_err()
    };
    let (expected, actual) = (tree.len(), tree.len() - 1);
    let error = on(Operator::SUM, &short, DeviceEngine::Auto);
    assert_eq!(error, AggregateError::Length { column: 2, expected, actual });
    let huge = vec![i64::MAX; tree.len()];
    let error =
        on(Operator::SUM, &[ValueSlice::I64(&x), ValueSlice::I64(&huge)], DeviceEngine::Auto);
    assert!(matches!(error, AggregateError::Treefix(_)), "{error}");
    let f = vec![1.0; tree.len()];
    let error = on(Operator::SUM, &[ValueSlice::I64(&x), ValueSlice::F64(&f)], DeviceEngine::Auto);
    assert!(matches!(error, AggregateError::NoKernel { .. }), "{error}");
}
