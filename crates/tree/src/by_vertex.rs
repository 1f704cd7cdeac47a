//! Rootfix and leaffix with values and answers in the order of the user's vertices.
//!
//! **Problem.** Engines work by position. A user has values by vertex, and wants answers by vertex:
//! moving them there and back costs more than the pass.
//!
//! **Method.** How the vertices are numbered decides ([`VertexOrder`]). In preorder: the engines run
//! on the user's slices as they are. With parents first: one sweep over the vertices. Otherwise the
//! sweeps and blocks of the engines read values and write answers where they lie, and ask for their
//! cache lines ahead.
//!
//! **Cost.** None, one and two random cache lines per vertex beside the pass; no memory.
//!
//! **Determinism.** On how a tree is numbered depends which sums of floats are made first; on the
//! number of threads nothing does.

use crate::engine::{check_length, treefix_into};
use crate::watched::{Unwatched, Watched};
use crate::{Direction, Engine, Scope, TreefixError, TreefixParams, leaffix, rootfix};
use palmette_core::operator::{Number, Operator, Sum};
use palmette_core::tree::VertexOrder;
use palmette_core::{Tree, parallel};

/// The rootfix or leaffix of values by vertex, into a slice by vertex; says which engine ran. `order`
/// is the tree's, or [`VertexOrder::Preorder`] if values and `out` are by position.
///
/// ```
/// use palmette_core::{NONE, Tree, operator::Sum};
/// use palmette_tree::{Direction, by_vertex};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2]).unwrap();
/// let mut sums = [0; 4];
/// let (values, sum) = ([1, 10, 100, 1000], Sum::<i64>::new());
/// by_vertex(&tree, tree.vertex_order(), Direction::Leaffix, &values, &sum, Default::default(), &mut sums)
///     .unwrap();
/// assert_eq!(sums, [11, 10, 1111, 1000]);
/// ```
///
/// # Errors
/// As [`leaffix::leaffix_into`].
pub fn by_vertex<M: Operator>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) -> Result<Engine, TreefixError> {
    Ok(run(tree, order, direction, values, op, &Unwatched(op), params, out)?.0)
}

/// As [`by_vertex`], for sums. Beside the engine it says whether additions of integers wrapped, or
/// sums of floats are not finite; yes may be a false alarm, and there is nothing where the engine did
/// not look.
///
/// # Errors
/// As [`by_vertex`].
pub fn sums_by_vertex<T: Number>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[T],
    params: TreefixParams,
    out: &mut [T],
) -> Result<(Engine, Option<bool>), TreefixError> {
    let sum = Sum::<T>::new();
    run(tree, order, direction, values, &sum, &sum, params, out)
}

/// `watched` is `op`, or notes nothing.
#[expect(clippy::too_many_arguments, reason = "the pass has them")]
fn run<M: Operator, W: Watched<Elem = M::Elem>>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    watched: &W,
    params: TreefixParams,
    out: &mut [M::Elem],
) -> Result<(Engine, Option<bool>), TreefixError> {
    check_length(tree, values.len())?;
    check_length(tree, out.len())?;
    let (scope, down) = (params.scope, direction == Direction::Rootfix);
    // An engine that is asked for by name has one association, however vertices are numbered.
    let in_place = M::COMMUTES && params.engine == Engine::Auto;
    let few = threads_for(tree.len()) <= Engine::FEW_THREADS;
    let first = matches!(order, VertexOrder::ParentsFirst(_));
    let in_order = params.engine == Engine::Auto && first && (few || !M::QUICK);
    // What is noted on the way needs no second look, and a sweep is about as fast as memory.
    let engine = match in_order || params.engine == Engine::Auto && few && M::QUICK {
        true => Engine::Sequential,
        false => params.engine.choose(tree, direction, op),
    };
    let params = TreefixParams { scope, engine };
    match engine {
        Engine::Auto | Engine::Sequential => {
            let order = match order {
                VertexOrder::ParentsFirst(_) if !in_order => VertexOrder::Other,
                order => order,
            };
            let noted = sweep(tree, order, direction, values, watched, scope, in_place, out);
            return Ok((engine, Some(noted)));
        }
        _ if order == VertexOrder::Preorder => {
            treefix_into(tree, direction, values, op, params, out)?;
        }
        Engine::Threads => {
            let pass = if down { rootfix::threads_by_vertex } else { leaffix::threads_by_vertex };
            pass(tree, values, op, scope, out);
        }
        _ => {
            let lost = |_| TreefixError::Length { expected: tree.len(), actual: values.len() };
            let values = tree.to_positions(values).map_err(lost)?;
            let mut found = vec![op.identity(); values.len()];
            treefix_into(tree, direction, &values, op, params, &mut found)?;
            let positions = tree.positions();
            parallel::for_each_mut(out, 1 << 14, |v, out| *out = found[positions[v] as usize]);
        }
    }
    Ok((engine, None))
}

/// One sweep over vertices as they are numbered, if that is possible, and otherwise over positions;
/// says whether the operator noted anything. `in_place` if it commutes and may be combined in any order.
#[expect(clippy::too_many_arguments, reason = "the pass has them")]
pub(crate) fn sweep<W: Watched>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[W::Elem],
    op: &W,
    scope: Scope,
    in_place: bool,
    out: &mut [W::Elem],
) -> bool {
    let in_place = in_place && scope == Scope::Inclusive;
    let parents = match order {
        VertexOrder::Preorder => Some(tree.parents()),
        VertexOrder::ParentsFirst(parents) => Some(parents),
        VertexOrder::Other => None,
    };
    match (direction, parents) {
        (Direction::Rootfix, Some(parents)) => rootfix::down(parents, values, op, scope, out),
        (Direction::Rootfix, None) => rootfix::placed(tree, values, op, scope, out),
        (Direction::Leaffix, parents) if in_place => {
            out.copy_from_slice(values);
            leaffix_in_place(tree, parents, op, out)
        }
        (Direction::Leaffix, Some(parents)) => {
            leaffix::parents_first(parents, values, op, scope, out)
        }
        (Direction::Leaffix, None) => leaffix::placed(tree, values, op, scope, out),
    }
}

/// The leaffix of the values that `out` holds. Parents come first, where they are given.
fn leaffix_in_place<W: Watched>(
    tree: &Tree,
    parents: Option<&[u32]>,
    op: &W,
    out: &mut [W::Elem],
) -> bool {
    match parents {
        Some(parents) => leaffix::in_place(parents, op, out),
        None => leaffix::placed_in_place(tree, op, out),
    }
}

/// As [`sums_by_vertex`] with all defaults, on the calling thread and without any pool, for values that
/// may be narrower than their sums. `threads` is how many a pass could have. None where that many would
/// not do the same, or lengths differ; `out` then is as it was.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_tree::{Direction, sums_alone};
/// let tree = Tree::from_parents(&[2, 0, NONE, 2]).unwrap();
/// let (order, mut sums) = (tree.vertex_order(), [0i64; 4]);
/// let noted = sums_alone(&tree, order, Direction::Leaffix, &[1i32, 10, 100, 1000], 1, &mut sums);
/// assert_eq!((noted, sums), (Some(false), [11, 10, 1111, 1000]));
/// ```
pub fn sums_alone<V: Copy + Into<T>, T: Number>(
    tree: &Tree,
    order: VertexOrder<'_>,
    direction: Direction,
    values: &[V],
    threads: usize,
    out: &mut [T],
) -> Option<bool> {
    let (n, op) = (tree.len(), Sum::<T>::new());
    let few = threads <= Engine::FEW_THREADS;
    let in_order = matches!(order, VertexOrder::ParentsFirst(_)) && few;
    let alone = in_order
        || few && Sum::<T>::QUICK
        || Engine::Auto.choose_for(tree, direction, &op, threads) == Engine::Sequential;
    if (values.len(), out.len()) != (n, n) || !alone {
        return None;
    }
    let parents = match order {
        VertexOrder::Preorder => Some(tree.parents()),
        VertexOrder::ParentsFirst(parents) => Some(parents).filter(|_| in_order),
        VertexOrder::Other => None,
    };
    Some(match (direction, parents) {
        (Direction::Rootfix, Some(parents)) => {
            rootfix::down(parents, values, &op, Scope::Inclusive, out)
        }
        (Direction::Rootfix, None) => rootfix::placed(tree, values, &op, Scope::Inclusive, out),
        (Direction::Leaffix, parents) => {
            out.iter_mut().zip(values).for_each(|(out, &value)| *out = value.into());
            leaffix_in_place(tree, parents, &op, out)
        }
    })
}

/// Threads that a pass over so many vertices would use.
fn threads_for(vertices: usize) -> usize {
    if vertices < Engine::PARALLEL_FROM { 1 } else { rayon::current_num_threads() }
}
