//! Every program and every operator on trees of all kinds, against the host.

use palmette::{
    AggregateError, CreationParams, Direction, Operator, OperatorName, OperatorParams,
    SpatialError, SpatialLcaParams, SpatialTreefixParams, TreefixError, create_layout, spatial_lca,
    spatial_treefix,
};
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::{NONE, Tree, TreeParams};
use palmette_io::{ValueType, Values};
use palmette_spatial::layout::{Layout, LayoutParams, Order};
use palmette_spatial::program::ProgramError;

const SHAPES: [Shape; 5] =
    [Shape::Random, Shape::Path, Shape::Star, Shape::Caterpillar, Shape::Preferential];

fn tree(shape: Shape, n: usize) -> Tree {
    Tree::from_parents(&shuffle(&generate(shape, n, 3).unwrap(), 3)).unwrap()
}

fn laid_out(tree: &Tree) -> Layout {
    Layout::new(tree.clone(), LayoutParams::default()).unwrap()
}

/// Numbers that a float does not hold exactly when they are added.
fn values(n: usize, column: u64) -> (Values, Values) {
    let whole = |v: usize| (v as i64 * 7919 + column as i64 * 31) % 1009 - 400;
    let whole: Vec<i64> = (0..n).map(whole).collect();
    let floats = whole.iter().map(|&x| x as f64 / 701.0).collect();
    (Values::I64(whole), Values::F64(floats))
}

#[test]
fn every_operator_agrees_with_the_host() {
    for (shape, n) in SHAPES.map(|shape| (shape, 150)).into_iter().chain([(Shape::Path, 1)]) {
        let layout = laid_out(&tree(shape, n));
        for name in OperatorName::ALL {
            let params = SpatialTreefixParams { layout_order: true, ..Default::default() };
            let modular = OperatorParams { modulus: Some(1009), ..Default::default() };
            let plain = name.with(OperatorParams::default());
            let whole_operator = name.with(modular).or(plain.clone()).unwrap();
            let columns: Vec<_> = (0..name.value_columns() as u64).map(|k| values(n, k)).collect();
            let (whole, floats): (Vec<_>, Vec<_>) = columns.into_iter().unzip();
            let plain = plain.ok().filter(|op| op.value_types().contains(&ValueType::F64));
            for direction in [Direction::Leaffix, Direction::Rootfix] {
                let run = |operator: Operator, values: &[Values]| {
                    let values = Values::slices(values);
                    let run = spatial_treefix(&layout, direction, operator, &values, &params);
                    let run = run.unwrap();
                    assert!(run.correct, "{operator} {direction:?} {shape} {n}");
                    assert_eq!(run.contracted.iter().sum::<u64>(), n as u64 - 1);
                    assert_eq!(run.contracted.len(), run.rounds as usize);
                    assert!(run.machine.words_used() <= run.machine.words());
                    // Only where somebody has two children is there something to find.
                    let built = run.machine.ledger().phase("virtual tree").is_some();
                    assert_eq!(built, shape != Shape::Path, "{shape}");
                };
                run(whole_operator, &whole);
                if let Some(plain) = plain {
                    run(plain, &floats);
                }
            }
        }
    }
}

#[test]
fn single_precision_and_products_that_vanish() {
    let n = 3000;
    let layout = laid_out(&tree(Shape::Path, n));
    let single: Vec<f32> = (0..n).map(|v| 1.0 / (1.0 + v as f32) - 0.01).collect();
    let halves = || Values::F64(vec![0.5; n]);
    for direction in [Direction::Leaffix, Direction::Rootfix] {
        let affine = Operator::Affine { modulus: None };
        let run = |operator, values: &[Values]| {
            let values = Values::slices(values);
            spatial_treefix(&layout, direction, operator, &values, &Default::default()).unwrap()
        };
        assert!(run(Operator::SUM, &[Values::F32(single.clone())]).correct);
        // 2^-3000 is no float, and 2^-1070 has few digits.
        assert!(run(affine, &[halves(), Values::F64(vec![1e-320; n])]).correct);
        // What overflows, and where, is decided by brackets.
        let large = || Values::F64(vec![-3.0; n]);
        let overflowing = run(affine, &[large(), halves()]);
        assert!(overflowing.correct);
        // In single precision too; and where nothing overflows, nothing is left out.
        let huge = [3e38, 3e38, -3e38, -3e38].into_iter().cycle().take(n).collect();
        assert!(run(Operator::SUM, &[Values::F32(huge)]).correct);
        let nothing = run(Operator::SUM, &[Values::F64(vec![f64::NAN; n])]);
        assert!(nothing.correct && nothing.uncompared == 0);
    }
}

#[test]
fn a_wrong_answer_is_seen() {
    use palmette::{Answer, AnswerCells, AnswerColumn, agreement};
    let tree = tree(Shape::Random, 100);
    let (_, floats) = values(100, 0);
    let (direction, operator) = (Direction::Leaffix, Operator::SUM);
    let columns = [floats.as_slice()];
    let answer =
        palmette::aggregate(&tree, direction, operator, &columns, &Default::default()).unwrap();
    let changed = |by: f64| {
        let Some(Values::F64(sums)) = answer.numbers() else { panic!("no floats") };
        let mut sums = sums.clone();
        sums[40] += by;
        let cells = AnswerCells::Numbers(Values::F64(sums));
        let columns = vec![AnswerColumn { name: "sum", cells }];
        Answer { columns, present: None, engine: None, findings: None }
    };
    let agrees = |by: f64| {
        let both = [&answer, &changed(by)];
        agreement(&tree, direction, operator, &columns, both).unwrap().equal
    };
    assert!(agrees(0.0));
    assert!(!agrees(1e-9));
}

#[test]
fn what_treefix_refuses() {
    let tree = Tree::from_parents(&[NONE, 0, 1, 0]).unwrap();
    let ones = [Values::I64(vec![1; 4])];
    let run = |tree: &Tree, order, direction, operator, values: &[Values]| {
        let layout = LayoutParams { order, ..LayoutParams::default() };
        let layout = Layout::new(tree.clone(), layout).unwrap();
        let values = Values::slices(values);
        spatial_treefix(&layout, direction, operator, &values, &Default::default())
            .map(|run| run.correct)
    };
    let (leaf, root) = (Direction::Leaffix, Direction::Rootfix);
    let (light, hash) = (Order::LightFirst, Operator::Hash { seed: 0 });
    // Vertex 3 comes before vertex 1.
    let refused = AggregateError::NotCommutative { operator: hash.name(), vertex: 0 };
    assert_eq!(run(&tree, light, leaf, hash, &ones), Err(refused));
    assert_eq!(run(&tree, light, root, hash, &ones), Ok(true));
    let sorted = Tree::from_parents(&[NONE, 0, 0, 2]).unwrap();
    assert_eq!(run(&sorted, light, leaf, hash, &ones), Ok(true));
    for order in [Order::Bfs, Order::Refined] {
        let refused = AggregateError::Spatial(SpatialError::Order { order });
        assert_eq!(run(&tree, order, leaf, Operator::SUM, &ones), Err(refused));
    }
    let forest = TreeParams { forest: true, ..TreeParams::default() };
    let forest = Tree::with_params(&[NONE, 0, NONE, 2], forest).unwrap();
    let refused = SpatialError::Program(ProgramError::Forest { roots: 2 });
    assert_eq!(run(&forest, light, leaf, Operator::SUM, &ones), Err(refused.into()));
    let large = [Values::I64(vec![i64::MAX, 1, 0, 0])];
    let exact = i128::from(i64::MAX) + 1;
    let refused = TreefixError::Overflow { vertex: 0, exact };
    assert_eq!(run(&tree, light, leaf, Operator::SUM, &large), Err(refused.into()));
}

#[test]
fn ancestors_and_creation_agree_with_the_host() {
    for (shape, n) in SHAPES.map(|shape| (shape, 300)).into_iter().chain([(Shape::Path, 1)]) {
        let tree = tree(shape, n);
        let vertex = |k: usize, by: usize| (k * by % n) as u32;
        // Vertex 0 is in many pairs.
        let pairs: Vec<(u32, u32)> =
            (0..n).map(|k| (vertex(k, 7), if k % 3 == 0 { 0 } else { vertex(k, 11) })).collect();
        let found = spatial_lca(&tree, &pairs, &SpatialLcaParams::default()).unwrap();
        assert!(found.correct && found.lca.len() == n, "{shape} {n}");
        let processors = found.machine.processors();
        assert!(processors >= n);
        assert_eq!(found.contracted.iter().sum::<u64>(), processors as u64 - 1);
        assert!(spatial_lca(&tree, &[], &SpatialLcaParams::default()).unwrap().correct);
        let made = create_layout(&tree, &CreationParams::default()).unwrap();
        assert!(made.correct, "{shape} {n}");
        assert_eq!(made.positions, made.layout.tree().positions());
        assert_eq!(made.contracted.iter().sum::<u64>(), n as u64 - 1);
    }
}
