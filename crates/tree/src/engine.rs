//! The engines for rootfix and leaffix: their names, the choice of `auto`, and errors.

use crate::blocks::{Blocks, Grain};
use palmette_core::Tree;
use palmette_core::named;
use palmette_core::operator::Operator;
use thiserror::Error;

named! {
    /// An engine for rootfix and leaffix. All give the same answer; on floats, up to
    /// the rounding of another association.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Engine("engine") {
        /// Chosen by size and threads, see [`Engine::choose`].
        #[default]
        Auto = "auto",
        /// One sweep over the preorder.
        Sequential = "sequential",
        /// Level by level, each level in parallel.
        Levels = "levels",
        /// A scan over the Euler tour; needs a group.
        Euler = "euler",
        /// Blocks of the preorder in parallel.
        Threads = "threads",
        /// Rake and compress.
        Contract = "contract",
    }
}

impl Engine {
    /// What `auto` means for a tree, a direction and an operator.
    ///
    /// | tree | operator | threads | engine |
    /// |---|---|---|---|
    /// | below [`Engine::PARALLEL_FROM`] vertices | any | any | [`Engine::Sequential`] |
    /// | long chains scattered over the preorder, as in a shuffled caterpillar | any | any | [`Engine::Sequential`] |
    /// | long chains in one piece, as in a path | [`Operator::STREAMS`] | any | [`Engine::Sequential`]: it is as fast as memory |
    /// | | any other | any | [`Engine::Threads`]: four chains at a time pay on one thread, too |
    /// | any other | [`Operator::STREAMS`], for a rootfix | up to [`Engine::FEW_THREADS`] | [`Engine::Sequential`]: one thread takes what memory gives |
    /// | | quick, or any for a rootfix | 1 | [`Engine::Sequential`] |
    /// | | | more | [`Engine::Threads`]; for a rootfix with the same answers |
    /// | | not quick, for a leaffix | any | [`Engine::Threads`] |
    ///
    /// The other engines are never chosen: on no shape, size or operator that
    /// `make bench-tree` measures is one of them the fastest (docs/benchmarks.md
    /// has the table). They are the published methods, to compare with. On the number of threads
    /// depends only the engine, never the answer, also for floats.
    pub fn choose<M: Operator>(self, tree: &Tree, direction: Direction, op: &M) -> Engine {
        // Small trees start no pool.
        let small = tree.len() < Self::PARALLEL_FROM;
        self.choose_for(tree, direction, op, if small { 1 } else { rayon::current_num_threads() })
    }

    /// The same for so many threads.
    pub(crate) fn choose_for<M: Operator>(
        self,
        tree: &Tree,
        direction: Direction,
        _op: &M,
        threads: usize,
    ) -> Engine {
        if self != Engine::Auto {
            return self;
        }
        if tree.len() < Self::PARALLEL_FROM {
            return Engine::Sequential;
        }
        let alone = match direction {
            Direction::Rootfix => threads == 1 || threads <= Self::FEW_THREADS && M::STREAMS,
            Direction::Leaffix => threads == 1 && M::QUICK,
        };
        match Blocks::new(tree).grain() {
            Grain::Ragged => Engine::Sequential,
            Grain::Deep if M::STREAMS => Engine::Sequential,
            Grain::Fine if alone => Engine::Sequential,
            Grain::Deep | Grain::Fine => Engine::Threads,
        }
    }

    /// With more threads than this, blocks beat one sweep that is about as fast as memory.
    pub const FEW_THREADS: usize = 2;

    /// The size from which several threads pay.
    pub const PARALLEL_FROM: usize = 1 << 17;
}

named! {
    /// Whether a vertex's own value is part of its answer.
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    pub enum Scope("scope") {
        /// It is.
        #[default]
        Inclusive = "inclusive",
        /// It is not.
        Exclusive = "exclusive",
    }
}

named! {
    /// Along which way values are combined.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    pub enum Direction("direction") {
        /// From the root down to each vertex.
        Rootfix = "rootfix",
        /// Over the subtree of each vertex, in preorder.
        Leaffix = "leaffix",
    }
}

/// Options of a treefix.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct TreefixParams {
    /// Whether a vertex's own value is included.
    pub scope: Scope,
    /// Which engine.
    pub engine: Engine,
}

/// Why a treefix was not computed.
#[derive(Debug, Clone, PartialEq, Eq, Error)]
#[non_exhaustive]
#[expect(missing_docs, reason = "the messages say what the fields are")]
pub enum TreefixError {
    /// The number of values is not the number of vertices.
    #[error("{actual} values for {expected} vertices")]
    Length { expected: usize, actual: usize },
    /// The scan over the Euler tour needs inverses.
    #[error("engine 'euler' needs an operator with inverses, such as sum or xor")]
    NeedsInverse,
    /// A result does not fit the number type. Has the smallest number of a user's vertex among those
    /// concerned.
    #[error("the sum at vertex {vertex} is {exact}, which does not fit the value type")]
    Overflow { vertex: u32, exact: i128 },
}

/// As [`leaffix::leaffix_into`](crate::leaffix::leaffix_into), in either direction.
pub(crate) fn treefix_into<M: Operator>(
    tree: &Tree,
    direction: Direction,
    values: &[M::Elem],
    op: &M,
    params: TreefixParams,
    out: &mut [M::Elem],
) -> Result<(), TreefixError> {
    match direction {
        Direction::Rootfix => crate::rootfix::rootfix_into(tree, values, op, params, out),
        Direction::Leaffix => crate::leaffix::leaffix_into(tree, values, op, params, out),
    }
}

pub(crate) fn check_length(tree: &Tree, actual: usize) -> Result<(), TreefixError> {
    let expected = tree.len();
    if actual == expected { Ok(()) } else { Err(TreefixError::Length { expected, actual }) }
}

/// The entry points of a direction: by the engine that `params` names, with or without a slice of
/// the caller's.
macro_rules! treefix {
    ($(#[$doc:meta])* $name:ident, $into:ident, $direction:expr) => {
        $(#[$doc])*
        ///
        /// # Errors
        /// A wrong number of values, or the Euler engine with an operator that has no
        /// inverses.
        pub fn $name<M: Operator>(
            tree: &Tree,
            values: &[M::Elem],
            op: &M,
            params: TreefixParams,
        ) -> Result<Vec<M::Elem>, TreefixError> {
            let mut out = huge_vec(tree.len(), op.identity());
            $into(tree, values, op, params, &mut out)?;
            Ok(out)
        }

        #[doc = concat!("As [`", stringify!($name), "`], into a slice of the caller's.")]
        ///
        /// # Errors
        #[doc = concat!("As [`", stringify!($name), "`]; also when `out` has another length than the tree.")]
        pub fn $into<M: Operator>(
            tree: &Tree,
            values: &[M::Elem],
            op: &M,
            params: TreefixParams,
            out: &mut [M::Elem],
        ) -> Result<(), TreefixError> {
            check_length(tree, values.len())?;
            check_length(tree, out.len())?;
            let scope = params.scope;
            match params.engine.choose(tree, $direction, op) {
                Engine::Levels => levels(tree, &tree.levels(), values, op, scope, out),
                Engine::Threads => threads(tree, values, op, scope, out),
                Engine::Contract => contract(&Contraction::new(tree, 0), tree, values, op, scope, out),
                Engine::Euler => {
                    let group = Undoing::new(op).ok_or(TreefixError::NeedsInverse)?;
                    euler(&EulerTour::new(tree), values, &group, scope, out);
                }
                Engine::Auto | Engine::Sequential => alone(tree, values, op, params, out),
            }
            Ok(())
        }
    };
}
pub(crate) use treefix;
