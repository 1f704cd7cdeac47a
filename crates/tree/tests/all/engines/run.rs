//! One tree and one operator through every engine, in both directions and scopes.

use crate::engines::checker::{Checker, DIRECTIONS, Direction, SCOPES};
use crate::engines::erased::{Erased, Packed, pack};
use crate::engines::family::Family;
use crate::engines::random::Random;
use palmette_core::operator::Operator;
use palmette_core::{Lists, Tree, TreeParams};
use palmette_tree::{Contraction, Engine, TreefixError, TreefixParams, leaffix, rootfix};

/// A forest and what can be prepared once for all passes.
pub(crate) struct Prepared {
    pub(crate) tree: Tree,
    levels: Lists,
    plan: Contraction,
}

impl Prepared {
    pub(crate) fn new(parents: &[u32], seed: u64) -> Prepared {
        let tree = forest(parents);
        Prepared { levels: tree.levels(), plan: Contraction::new(&tree, seed), tree }
    }
}

pub(crate) fn forest(parents: &[u32]) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, ..Default::default() }).unwrap()
}

/// One pass through the front door, or with what was prepared.
pub(crate) fn pass<O: Operator<Elem: Packed>>(
    tree: &Tree,
    prepared: Option<&Prepared>,
    values: &[O::Elem],
    op: &O,
    direction: Direction,
    params: TreefixParams,
    out: &mut [O::Elem],
) -> Result<(), TreefixError> {
    let mut bits = pack(out);
    let op = Erased::new(op);
    erased_pass(tree, prepared, &pack(values), &op, direction, params, &mut bits)?;
    out.iter_mut().zip(bits).for_each(|(to, bits)| *to = Packed::unpack(bits));
    Ok(())
}

fn erased_pass<B: Copy + Send + Sync>(
    tree: &Tree,
    prepared: Option<&Prepared>,
    values: &[B],
    op: &Erased<'_, B>,
    direction: Direction,
    params: TreefixParams,
    out: &mut [B],
) -> Result<(), TreefixError> {
    use Direction::{Leaffix, Rootfix};
    let scope = params.scope;
    match (direction, params.engine, prepared) {
        (Rootfix, Engine::Levels, Some(p)) => {
            rootfix::levels(tree, &p.levels, values, op, scope, out);
        }
        (Leaffix, Engine::Levels, Some(p)) => {
            leaffix::levels(tree, &p.levels, values, op, scope, out);
        }
        (Rootfix, Engine::Contract, Some(p)) => {
            rootfix::contract(&p.plan, tree, values, op, scope, out);
        }
        (Leaffix, Engine::Contract, Some(p)) => {
            leaffix::contract(&p.plan, tree, values, op, scope, out);
        }
        (Rootfix, ..) => return rootfix::rootfix_into(tree, values, op, params, out),
        (Leaffix, ..) => return leaffix::leaffix_into(tree, values, op, params, out),
    }
    Ok(())
}

/// Runs every engine; panics at the first wrong answer, and otherwise returns how many
/// passes were checked.
pub(crate) fn every_engine<F: Family>(
    family: &F,
    name: &str,
    tree: &Tree,
    prepared: Option<&Prepared>,
    checker: &impl Checker,
    seed: u64,
) -> u64 {
    let (n, op) = (tree.len(), family.op());
    let is_group = Erased::new(&op).is_group();
    let mut random = Random(seed);
    let values: Vec<F::Value> = (0..n as u32).map(|v| family.value(&mut random, v)).collect();
    let whole = values.iter().fold(family.empty(), |w, &x| family.join(w, family.lift(x)));
    let placed: Vec<F::Value> = tree.vertices().iter().map(|&v| values[v as usize]).collect();
    let mut passes = 0;
    for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
        let expected = checker.answers(family, &values, direction, scope);
        for engine in Engine::ALL {
            let what = || format!("{name}, {}: {engine} {direction:?} {scope:?}", family.name());
            // An engine must not rely on what it finds in the caller's slice.
            let mut out: Vec<F::Value> = placed.iter().rev().copied().collect();
            let params = TreefixParams { scope, engine };
            let done = pass(tree, prepared, &placed, &op, direction, params, &mut out);
            if engine == Engine::Euler && !is_group {
                assert_eq!(done, Err(TreefixError::NeedsInverse), "{}", what());
                continue;
            }
            done.unwrap_or_else(|error| panic!("{}: {error}", what()));
            for (&v, &actual) in tree.vertices().iter().zip(&out) {
                let expected = expected[v as usize];
                assert!(
                    family.agrees(engine, whole, expected, actual),
                    "{}: vertex {v} of {n}: expected {expected:?}, got {actual:?}",
                    what()
                );
            }
            passes += 1;
        }
    }
    passes
}

/// All operators.
pub(crate) fn every_operator(
    name: &str,
    tree: &Tree,
    prepared: Option<&Prepared>,
    checker: &impl Checker,
    seed: u64,
) -> u64 {
    use crate::engines::{exact, float};
    macro_rules! all {
        ($($family:expr),* $(,)?) => {
            [$(every_engine(&$family, name, tree, prepared, checker, seed)),*].iter().sum()
        };
    }
    all![
        exact::sum_i64(),
        exact::sum_u64(),
        float::sum_f64(),
        float::sum_f32(),
        exact::min_i64(),
        exact::min_f64(),
        exact::max_u64(),
        exact::max_f64(),
        exact::arg_min(),
        exact::arg_max(),
        exact::xor(),
        exact::and(),
        exact::or(),
        exact::product(),
        exact::affine(),
        exact::matrix(),
        float::AffineMaps,
        float::Matrices,
        exact::rolling_hash(),
    ]
}

/// One operator of each kind: a group, a float, a commutative one without inverses, and
/// one where order counts.
pub(crate) fn representative_operators(
    name: &str,
    tree: &Tree,
    prepared: Option<&Prepared>,
    checker: &impl Checker,
    seed: u64,
) -> u64 {
    use crate::engines::{exact, float};
    every_engine(&exact::sum_i64(), name, tree, prepared, checker, seed)
        + every_engine(&float::sum_f64(), name, tree, prepared, checker, seed)
        + every_engine(&exact::arg_min(), name, tree, prepared, checker, seed)
        + every_engine(&exact::rolling_hash(), name, tree, prepared, checker, seed)
}
