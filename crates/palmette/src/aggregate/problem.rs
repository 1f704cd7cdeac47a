//! The problems that run with any operator: rootfix, leaffix, paths.

use super::words::{WordOperator, Words};
use super::{AggregateError, Direction};
use palmette_core::memory::kept::{self, Kept};
use palmette_core::operator::{Number, Operator, Sum};
use palmette_core::tree::VertexOrder;
use palmette_core::{Monoid, Tree, TreeError};
use palmette_tree::paths::{HeavyPaths, PathAggregate};
use palmette_tree::{
    Engine, Scope, TreefixError, TreefixParams, by_vertex, leaffix, rootfix, sums_by_vertex,
};

/// One answer per row, and which rows have one where some have none.
pub(super) struct Solved<E> {
    pub(super) answers: Vec<E>,
    pub(super) present: Option<Vec<bool>>,
    /// Which engine ran, where there is a choice.
    pub(super) engine: Option<Engine>,
}

impl<E: Copy> Solved<E> {
    /// Answers of pairs, of which those across trees have none.
    pub(super) fn of_pairs(products: Vec<Option<E>>, none: E) -> Solved<E> {
        let all = products.iter().all(Option::is_some);
        let present = (!all).then(|| products.iter().map(Option::is_some).collect());
        let answers = products.into_iter().map(|product| product.unwrap_or(none)).collect();
        Solved { answers, present, engine: None }
    }

    pub(super) fn map<T>(self, change: impl FnMut(E) -> T) -> Solved<T> {
        let answers = self.answers.into_iter().map(change).collect();
        Solved { answers, present: self.present, engine: self.engine }
    }
}

/// Something to compute with an operator from an element for every vertex.
pub(super) trait Problem {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError>;

    /// As `solve`, for sums, which may be worth code of their own; and whether the sum of some of
    /// the values, on whatever machine they lie, may not fit.
    fn sums<T: Number + Words<1> + Kept>(
        &self,
        op: &Sum<T>,
        x: &[T],
    ) -> Result<(Solved<T>, bool), AggregateError> {
        let words: Vec<[u64; 1]> = x.iter().map(|v| v.to_words()).collect();
        let solved = self.solve(WordOperator::new(op), &words)?.map(T::from_words);
        Ok((solved, self.may_overflow(x)?))
    }

    /// The sums in 128 bits: at most 2^32 numbers of 64 bits always fit.
    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError>;

    /// Whether the sum of some of the values, on whatever machine they lie, may not fit.
    fn may_overflow<T: Number + Words<1>>(&self, x: &[T]) -> Result<bool, AggregateError> {
        Ok(Sum::<T>::new().may_overflow(x))
    }

    /// The vertex of the first element.
    fn first_vertex(&self) -> u32 {
        0
    }

    /// The error for a row whose sum does not fit.
    fn overflow(&self, row: usize, exact: i128) -> AggregateError;
}

/// Addition in 128 bits.
struct ExactSum;

impl Monoid for ExactSum {
    type Elem = i128;
    fn identity(&self) -> i128 {
        0
    }
    fn combine(&self, left: i128, right: i128) -> i128 {
        left + right
    }
}

/// The only thing that moving values can find wrong is their number.
pub(super) fn wrong_length(error: TreeError) -> AggregateError {
    match error {
        TreeError::Length { expected, actual, .. } => {
            AggregateError::Length { column: 1, expected, actual }
        }
        _ => AggregateError::Length { column: 1, expected: 0, actual: 0 },
    }
}

pub(super) struct Treefix<'a> {
    pub(super) tree: &'a Tree,
    pub(super) order: VertexOrder<'a>,
    pub(super) direction: Direction,
    pub(super) scope: Scope,
    pub(super) engine: Engine,
}

impl Treefix<'_> {
    /// Sums into a slice, and whether some may not fit.
    pub(super) fn sum<T: Number>(
        &self,
        x: &[T],
        out: &mut [T],
    ) -> Result<(Engine, bool), AggregateError> {
        let params = TreefixParams { scope: self.scope, engine: self.engine };
        let (tree, order, direction) = (self.tree, self.order, self.direction);
        let (engine, wrapped) = sums_by_vertex(tree, order, direction, x, params, out)?;
        Ok((engine, wrapped.unwrap_or_else(|| T::exceed(x))))
    }

    pub(super) fn pass<M: Operator>(
        &self,
        values: &[M::Elem],
        op: &M,
        out: &mut [M::Elem],
    ) -> Result<Engine, AggregateError> {
        let params = TreefixParams { scope: self.scope, engine: self.engine };
        Ok(by_vertex(self.tree, self.order, self.direction, values, op, params, out)?)
    }
}

impl Problem for Treefix<'_> {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError> {
        let mut answers = vec![op.identity(); elements.len()];
        let engine = self.pass(elements, &op, &mut answers)?;
        Ok(Solved { answers, present: None, engine: Some(engine) })
    }

    fn sums<T: Number + Words<1> + Kept>(
        &self,
        _op: &Sum<T>,
        x: &[T],
    ) -> Result<(Solved<T>, bool), AggregateError> {
        let mut answers = kept::take(x.len());
        let (engine, may_overflow) = self.sum(x, &mut answers)?;
        Ok((Solved { answers, present: None, engine: Some(engine) }, may_overflow))
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        let moved = match self.order {
            VertexOrder::Preorder => None,
            _ => Some(self.tree.to_positions(x).map_err(wrong_length)?),
        };
        let mut sums = vec![0; x.len()];
        let pass = match self.direction {
            Direction::Rootfix => rootfix::sequential,
            Direction::Leaffix => leaffix::sequential,
        };
        pass(self.tree, moved.as_deref().unwrap_or(x), &ExactSum, self.scope, &mut sums);
        match moved {
            None => Ok(sums),
            Some(_) => self.tree.to_vertices(&sums).map_err(wrong_length),
        }
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        let vertex = match self.order {
            VertexOrder::Preorder => self.tree.vertices()[row],
            _ => row as u32,
        };
        TreefixError::Overflow { vertex, exact }.into()
    }
}

pub(super) struct Paths<'a> {
    pub(super) tree: &'a Tree,
    pub(super) heavy: &'a HeavyPaths,
    /// By position.
    pub(super) pairs: &'a [(u32, u32)],
    pub(super) on_edges: bool,
}

impl Paths<'_> {
    fn products<M: Monoid>(
        &self,
        op: &M,
        by_vertex: &[M::Elem],
    ) -> Result<Vec<Option<M::Elem>>, AggregateError> {
        let values = self.tree.to_positions(by_vertex).map_err(wrong_length)?;
        let paths = match self.on_edges {
            true => PathAggregate::on_edges(self.heavy, &values, op)?,
            false => PathAggregate::new(self.heavy, &values, op)?,
        };
        Ok(paths.batch(self.pairs))
    }
}

impl Problem for Paths<'_> {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError> {
        Ok(Solved::of_pairs(self.products(&op, elements)?, op.identity()))
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        let sums = self.products(&ExactSum, x)?;
        Ok(sums.into_iter().map(|sum| sum.unwrap_or(0)).collect())
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        AggregateError::PathOverflow { pair: row, exact }
    }
}
