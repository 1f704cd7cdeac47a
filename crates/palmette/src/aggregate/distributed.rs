//! Aggregates over trees on many ranks.

use super::dispatch::{check, dispatch};
use super::problem::{Problem, Solved};
use super::words::{WordOperator, Words};
use super::*;
use crate::measures::Measure;
use palmette_core::memory::kept::Kept;
use palmette_tree::distributed::{
    DistributedError, DistributedTree, Metered, NO_VERTEX, OneWord, Ranks,
};
use palmette_tree::sum::{
    DistributedSums, Float, SumParams, distributed_sums, distributed_sums_of_columns,
};

/// Whether an aggregate needs a tree with
/// [order](palmette_tree::distributed::DistributedParams::ordered): a leaffix whose operator does
/// not commute, or does so but for NaN and the sign of zeros where there are such values.
///
/// # Errors
/// When communication between ranks fails.
pub fn distributed_needs_order<R: Ranks>(
    ranks: &mut Metered<R>,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
) -> Result<bool, AggregateError> {
    use OperatorName::{ArgMax, ArgMin, Max, Min};
    let name = operator.name();
    if direction == Direction::Rootfix || !matches!(name, Min | Max | ArgMin | ArgMax) {
        return Ok(direction == Direction::Leaffix && !name.is_commutative());
    }
    fn minds<T: Float>(x: &[T]) -> bool {
        x.iter().map(|x| x.as_f64()).any(|x| x.is_nan() || x == 0.0 && x.is_sign_negative())
    }
    let own = values.iter().any(|column| match column {
        ValueSlice::F64(x) => minds(x),
        ValueSlice::F32(x) => minds(x),
        ValueSlice::I64(_) | ValueSlice::U64(_) => false,
    });
    Ok(ranks.sum(u64::from(own))? > 0)
}

/// As [`aggregate`](super::aggregate), for a tree on many ranks: values and answers are those
/// of this rank's slice. [`AggregateParams::engine`] does not matter. An operator of one column
/// takes any number of them, each for itself: the answers have the columns of each in turn.
///
/// # Errors
/// As [`aggregate`](super::aggregate), when communication between ranks fails, and when the tree
/// has no order, but the aggregate [needs](distributed_needs_order) it. If one rank finds an
/// error, the others are told.
pub fn distributed_aggregate<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
) -> Result<Answer, AggregateError> {
    if params.preorder {
        return ranks.agree(Err(AggregateError::HostOrder));
    }
    if operator.name().value_columns() == 1 && values.len() > 1 {
        if let Some(answer) = side_by_side(ranks, tree, direction, operator, values, params)? {
            return Ok(answer);
        }
        return Answer::of_each(values, |column| {
            distributed_aggregate(ranks, tree, direction, operator, column, params)
        });
    }
    let scope = params.scope;
    let own = tree.slices().of(ranks.rank());
    let vertices = (own.end - own.start) as usize;
    let name = operator.name();
    if direction == Direction::Leaffix && !name.is_commutative() && !tree.is_ordered() {
        return ranks.agree(Err(DistributedError::NoOrder.into()));
    }
    if name == OperatorName::Sum {
        ranks.agree(check(vertices, operator, values))?;
        match values[0] {
            ValueSlice::F32(x) => return float_sums(ranks, tree, direction, x, params),
            ValueSlice::F64(x) => return float_sums(ranks, tree, direction, x, params),
            _ => (),
        }
    }
    if params.summation != Summation::Plain || params.error_bound {
        let actual = values.first().map(ValueSlice::value_type);
        return ranks.agree(Err(AggregateError::NotFloats { operator: name, actual }));
    }
    let places = matches!(name, OperatorName::ArgMin | OperatorName::ArgMax);
    if places && tree.len() > u64::from(u32::MAX) {
        return Err(AggregateError::TooManyVertices { operator: name, vertices: tree.len() });
    }
    let outcome = {
        let problem =
            OnRanks { ranks: RefCell::new(&mut *ranks), tree, direction, scope, first: own.start };
        dispatch(&problem, vertices, operator, values)
    };
    ranks.agree(outcome)
}

/// Sums of several columns, for which the tree is followed once: of floats of one type, and of integers
/// whose sums are known to fit. Nothing for others.
fn side_by_side<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
) -> Result<Option<Answer>, AggregateError> {
    if operator.name() != OperatorName::Sum {
        return Ok(None);
    }
    let own = tree.slices().of(ranks.rank());
    let vertices = (own.end - own.start) as usize;
    let checked = values.iter().try_for_each(|&column| check(vertices, operator, &[column]));
    ranks.agree(checked)?;
    let f64s = values.iter().map(|x| if let ValueSlice::F64(x) = x { Some(*x) } else { None });
    if let Some(columns) = f64s.collect::<Option<Vec<_>>>() {
        return float_columns(ranks, tree, direction, &columns, params).map(Some);
    }
    let f32s = values.iter().map(|x| if let ValueSlice::F32(x) = x { Some(*x) } else { None });
    if let Some(columns) = f32s.collect::<Option<Vec<_>>>() {
        return float_columns(ranks, tree, direction, &columns, params).map(Some);
    }
    if params.summation != Summation::Plain || params.error_bound {
        return Ok(None);
    }
    for column in values {
        let may_overflow = match column {
            ValueSlice::I64(x) => may_overflow(ranks, x)?,
            ValueSlice::U64(x) => may_overflow(ranks, x)?,
            ValueSlice::F64(_) | ValueSlice::F32(_) => true,
        };
        if may_overflow {
            return Ok(None);
        }
    }
    let word = |column: usize, v: usize| match values[column] {
        ValueSlice::I64(x) => x[v] as u64,
        ValueSlice::U64(x) => x[v],
        ValueSlice::F64(_) | ValueSlice::F32(_) => 0,
    };
    let (count, op) = (values.len(), OneWord(Sum::<u64>::new()));
    let all = tree.columns(ranks, direction, count, &word, &op, params.scope)?;
    let column = |(sums, given): (Vec<u64>, &ValueSlice<'_>)| {
        let sums = match given.value_type() {
            ValueType::U64 => Values::U64(sums),
            _ => Values::I64(sums.into_iter().map(|sum| sum as i64).collect()),
        };
        AnswerColumn::numbers(OperatorName::Sum.name(), sums)
    };
    Ok(Some(Answer::of_columns(all.into_iter().zip(values).map(column).collect())))
}

/// Whether the sum of some of the values on all ranks may not fit.
fn may_overflow<R: Ranks, T: Number>(
    ranks: &mut Metered<R>,
    x: &[T],
) -> Result<bool, AggregateError> {
    let Some(most) = T::HIGHEST.exact() else { return Ok(false) };
    // What is quickly known suffices as a rule.
    let own = (u128::from(T::bound(x)) * x.len() as u128) as i128;
    let all = ranks.gather(&narrow(own)).map_err(DistributedError::from)?;
    let total = |words: &[u64]| -> i128 {
        words.as_chunks().0.iter().map(|&own| wide(own)).fold(0, i128::saturating_add)
    };
    if total(&all.words) <= most {
        return Ok(false);
    }
    let magnitude = |x: &T| x.exact().map_or(0, i128::unsigned_abs);
    let own = x.iter().map(magnitude).sum::<u128>() as i128;
    let all = ranks.gather(&narrow(own)).map_err(DistributedError::from)?;
    Ok(total(&all.words) > most)
}

/// As [`float_sums`], for several columns.
fn float_columns<R: Ranks, T: Float + Words<1>, const W: usize>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    columns: &[&[T]],
    params: &AggregateParams,
) -> Result<Answer, AggregateError>
where
    T::Wide: Words<W>,
    Values: From<Vec<T>>,
{
    let &AggregateParams { scope, engine, summation, error_bound: bounds, .. } = params;
    let params = SumParams { scope, engine, summation, bounds };
    let found = distributed_sums_of_columns(ranks, tree, direction, columns, params)?;
    let mut found = found.into_iter().map(answer_of_floats);
    Answer::of_each(columns, |_| Ok(found.next().expect("sums of each column")))
}

/// The sums, and before them the bounds if these are wanted.
fn float_sums<R: Ranks, T: Float + Words<1>, const W: usize>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    x: &[T],
    params: &AggregateParams,
) -> Result<Answer, AggregateError>
where
    T::Wide: Words<W>,
    Values: From<Vec<T>>,
{
    let &AggregateParams { scope, engine, summation, error_bound: bounds, .. } = params;
    let params = SumParams { scope, engine, summation, bounds };
    let found = distributed_sums(ranks, tree, direction, x, params)?;
    Ok(answer_of_floats(found))
}

fn answer_of_floats<T>(found: DistributedSums<T>) -> Answer
where
    Values: From<Vec<T>>,
{
    let bounds = found.bounds.map(|bounds| AnswerColumn::numbers(Answer::BOUND, bounds));
    let sums = AnswerColumn::numbers(OperatorName::Sum.name(), found.sums);
    let columns = bounds.into_iter().chain([sums]).collect();
    Answer { columns, present: None, engine: None, findings: Some(found.findings) }
}

/// A measure of every vertex of the slice; weighted depths are rootfixes of lengths.
///
/// # Errors
/// When communication between ranks fails, or for [`Measure::WeightedDepth`] without lengths.
pub fn distributed_measure<R: Ranks>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    measure: Measure,
    parents: &[u64],
    lengths: Option<&[f64]>,
) -> Result<Values, AggregateError> {
    let words = |x: &[u64]| -> Vec<[u64; 1]> { x.iter().map(|&x| [x]).collect() };
    let numbers = match measure {
        Measure::Depth => tree.depths(ranks)?,
        Measure::Size => tree.sizes(ranks)?,
        Measure::Leaves => {
            let sizes = tree.sizes(ranks)?;
            let leaves: Vec<u64> = sizes.iter().map(|&size| u64::from(size == 1)).collect();
            let op = OneWord(Sum::<u64>::new());
            tree.leaffix(ranks, &words(&leaves), &op, Scope::Inclusive)?.into_flattened()
        }
        Measure::Height => {
            let depths = tree.depths(ranks)?;
            let op = OneWord(Max::<u64>::new());
            let deepest = tree.leaffix(ranks, &words(&depths), &op, Scope::Inclusive)?;
            deepest.iter().zip(&depths).map(|([deepest], depth)| deepest - depth).collect()
        }
        Measure::WeightedDepth => {
            let above = |v: usize| match (lengths, parents[v]) {
                (_, NO_VERTEX) => 0.0,
                (Some(lengths), _) => lengths[v],
                (None, _) => 1.0,
            };
            let lengths: Vec<f64> = (0..parents.len()).map(above).collect();
            let (sum, lengths) = (Operator::SUM, [ValueSlice::F64(&lengths)]);
            let params = AggregateParams::default();
            let answer =
                distributed_aggregate(ranks, tree, Direction::Rootfix, sum, &lengths, &params)?;
            return Ok(answer.numbers().cloned().unwrap_or(Values::F64(Vec::new())));
        }
    };
    Ok(Values::U64(numbers))
}

struct OnRanks<'a, R> {
    ranks: RefCell<&'a mut Metered<R>>,
    tree: &'a DistributedTree,
    direction: Direction,
    scope: Scope,
    /// The first vertex of the slice.
    first: u64,
}

impl<R: Ranks> OnRanks<'_, R> {
    fn products<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &self,
        op: &M,
        elements: &[[u64; N]],
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        let ranks = &mut **self.ranks.borrow_mut();
        match self.direction {
            Direction::Rootfix => self.tree.rootfix(ranks, elements, op, self.scope),
            Direction::Leaffix => self.tree.leaffix(ranks, elements, op, self.scope),
        }
    }
}

/// Addition in 128 bits, low word first.
struct WideSum;

fn wide([low, high]: [u64; 2]) -> i128 {
    (i128::from(high as i64) << 64) | i128::from(low)
}

fn narrow(x: i128) -> [u64; 2] {
    [x as u64, (x >> 64) as u64]
}

impl Monoid for WideSum {
    type Elem = [u64; 2];
    fn identity(&self) -> [u64; 2] {
        [0; 2]
    }
    fn combine(&self, left: [u64; 2], right: [u64; 2]) -> [u64; 2] {
        narrow(wide(left) + wide(right))
    }
}

impl<R: Ranks> Problem for OnRanks<'_, R> {
    fn solve<const N: usize>(
        &self,
        op: WordOperator<N>,
        elements: &[[u64; N]],
    ) -> Result<Solved<[u64; N]>, AggregateError> {
        let answers = self.products(&op, elements)?;
        Ok(Solved { answers, present: None, engine: None })
    }

    fn sums<T: Number + Words<1> + Kept>(
        &self,
        op: &Sum<T>,
        x: &[T],
    ) -> Result<(Solved<T>, bool), AggregateError> {
        let words = T::all_words(x);
        let may_overflow = self.may_overflow(x)?;
        if T::HIGHEST.exact().is_none() {
            let solved = self.solve(WordOperator::new(op), &words)?.map(T::from_words);
            return Ok((solved, may_overflow));
        }
        // Integers of either kind have the same sums modulo 2^64, without a call for each.
        let answers = self.products(&OneWord(Sum::<u64>::new()), &words)?;
        let solved = Solved { answers, present: None, engine: None };
        Ok((solved.map(T::from_words), may_overflow))
    }

    fn exact_sums(&self, x: &[i128]) -> Result<Vec<i128>, AggregateError> {
        let elements: Vec<[u64; 2]> = x.iter().map(|&x| narrow(x)).collect();
        Ok(self.products(&WideSum, &elements)?.into_iter().map(wide).collect())
    }

    fn may_overflow<T: Number + Words<1>>(&self, x: &[T]) -> Result<bool, AggregateError> {
        may_overflow(&mut self.ranks.borrow_mut(), x)
    }

    fn first_vertex(&self) -> u32 {
        // Operators that name vertices have been refused where this does not fit.
        self.first as u32
    }

    fn overflow(&self, row: usize, exact: i128) -> AggregateError {
        AggregateError::SliceOverflow { vertex: self.first + row as u64, exact }
    }
}
