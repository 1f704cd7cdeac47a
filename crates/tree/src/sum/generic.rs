//! Runs sums with wide elements (exact, compensated, bounds) on the engines for any operator.

use super::SumParams;
use super::blocks::Carrier;
use crate::engine::treefix_into;
use crate::{
    Contraction, Direction, Engine, EulerTour, TreefixError, TreefixParams, leaffix, rootfix,
};
use palmette_core::memory::huge_vec;
use palmette_core::operator::Operator;
use palmette_core::{Group, Tree, parallel};

const GRAIN: usize = 1 << 12;

/// The pass by the engine that `params` names.
pub(super) fn pass<M: Operator>(
    tree: &Tree,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: SumParams,
    out: &mut [M::Elem],
) -> Result<(), TreefixError> {
    let params = TreefixParams { scope: params.scope, engine: params.engine };
    treefix_into(tree, direction, values, op, params, out)
}

/// Values lifted to elements, the pass, and answers.
pub(super) fn carried<C: Carrier>(
    values: &[C::Value],
    op: &C,
    out: &mut [C::Answer],
    pass: impl FnOnce(&[C::Elem], &mut [C::Elem]) -> Result<(), TreefixError>,
) -> Result<(), TreefixError> {
    let mut elements = huge_vec(values.len(), op.identity());
    parallel::for_each_mut(&mut elements, GRAIN, |i, element| op.add(element, values[i]));
    let mut sums = huge_vec(values.len(), op.identity());
    pass(&elements, &mut sums)?;
    parallel::for_each_mut(out, GRAIN, |i, out| *out = op.answer(sums[i]));
    Ok(())
}

/// The pass by one of the published methods; the others are not compiled for wide elements,
/// which go by blocks.
pub(super) fn published<G: Group>(
    tree: &Tree,
    direction: Direction,
    values: &[G::Elem],
    op: &G,
    params: SumParams,
    out: &mut [G::Elem],
) {
    let scope = params.scope;
    let down = direction == Direction::Rootfix;
    match params.engine {
        Engine::Levels => {
            let engine = if down { rootfix::levels::<G> } else { leaffix::levels::<G> };
            engine(tree, &tree.levels(), values, op, scope, out);
        }
        Engine::Euler => {
            let engine = if down { rootfix::euler::<G> } else { leaffix::euler::<G> };
            engine(&EulerTour::new(tree), values, op, scope, out);
        }
        _ => {
            let engine = if down { rootfix::contract::<G> } else { leaffix::contract::<G> };
            engine(&Contraction::new(tree, 0), tree, values, op, scope, out);
        }
    }
}
