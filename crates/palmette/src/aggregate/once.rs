//! One aggregate from bare parents, without a tree.
//!
//! **Problem.** A file has parents and values, and one question is asked. Making a tree costs more
//! than the answer. **Method.** Sums, counts, extremes and bits go through the engines for bare
//! parents ([`leaffix::from_parents`], [`rootfix::from_parents`]). Whatever these cannot do, or need
//! not do fast, is left to a tree: `None`. **Determinism.** Sums of floats are made in an order that
//! depends on the input only.

use super::words::{OneNumber, WordOperator, Words};
use super::*;
use palmette_core::memory::huge_vec;
use palmette_core::memory::kept::{self, Kept};
use palmette_core::operator::{And, Min, Or, Xor};
use palmette_core::{Commutative, NONE, TreeError};
use palmette_tree::sum::{Findings, Float};
use palmette_tree::{leaffix, rootfix};

/// The aggregate at every vertex, as [`aggregate`] of the tree that these parents make, or none where
/// only a tree helps: other operators, options other than the default, sums that may overflow,
/// values that are not finite. Floats may be added in another order.
///
/// ```
/// use palmette::{AggregateParams, Direction, NONE, Operator, ValueSlice, Values, aggregate_once};
/// let (parents, values) = ([2, 0, NONE, 2], [ValueSlice::I64(&[5, -7, 0, 9])]);
/// let params = AggregateParams::default();
/// let sums = aggregate_once(&parents, false, Direction::Leaffix, Operator::SUM, &values, &params)?;
/// assert_eq!(sums.and_then(|a| a.numbers().cloned()), Some(Values::I64(vec![-2, -7, 7, 9])));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// As [`aggregate`], and as making the tree: a cycle, several roots unless it is a `forest`.
pub fn aggregate_once(
    parents: &[u32],
    forest: bool,
    direction: Direction,
    operator: Operator,
    values: &[ValueSlice<'_>],
    params: &AggregateParams,
) -> Result<Option<Answer>, AggregateError> {
    if *params != AggregateParams::default() {
        return Ok(None);
    }
    if operator.name().value_columns() == 1 && values.len() > 1 {
        let mut missing = false;
        let all = Answer::of_each(values, |column| {
            let one = aggregate_once(parents, forest, direction, operator, column, params)?;
            missing |= one.is_none();
            Ok(one.unwrap_or_else(|| Answer::of_columns(Vec::new())))
        })?;
        return Ok((!missing).then_some(all));
    }
    check(parents.len(), operator, values)?;
    let once = Once { parents, forest, direction };
    let name = operator.name().name();
    let found = match (operator, values.first().copied()) {
        (Operator::Count, _) => {
            let counts = once.pass(&huge_vec(parents.len(), 1i64), &Sum::new())?;
            Some(Values::U64(kept::cast(counts)))
        }
        (Operator::Sum { .. }, Some(ValueSlice::I64(x))) => once.whole(x)?.map(Values::I64),
        (Operator::Sum { .. }, Some(ValueSlice::U64(x))) => once.whole(x)?.map(Values::U64),
        (Operator::Sum { .. }, Some(ValueSlice::F64(x))) => once.floats(x)?.map(Values::F64),
        (Operator::Sum { .. }, Some(ValueSlice::F32(x))) => once.floats(x)?.map(Values::F32),
        (Operator::Min, Some(x)) => once.extreme(
            x,
            [
                WordOperator::new(&Min::<i64>::new()),
                WordOperator::new(&Min::<u64>::new()),
                WordOperator::new(&Min::<f64>::new()),
            ],
        )?,
        (Operator::Max, Some(x)) => once.extreme(
            x,
            [
                WordOperator::new(&Max::<i64>::new()),
                WordOperator::new(&Max::<u64>::new()),
                WordOperator::new(&Max::<f64>::new()),
            ],
        )?,
        (Operator::Xor, Some(x)) => once.bits(x, &Xor::<u64>::new())?,
        (Operator::And, Some(x)) => once.bits(x, &And::<u64>::new())?,
        (Operator::Or, Some(x)) => once.bits(x, &Or::<u64>::new())?,
        _ => None,
    };
    Ok(found.map(|found| {
        let sums = matches!(found, Values::F64(_) | Values::F32(_)) && operator == Operator::SUM;
        let findings = sums.then(Findings::default);
        let columns = vec![AnswerColumn::numbers(name, found)];
        Answer { columns, present: None, engine: Some(Engine::Sequential), findings }
    }))
}

/// Parents that are asked one question.
pub(crate) struct Once<'a> {
    pub(crate) parents: &'a [u32],
    pub(crate) forest: bool,
    pub(crate) direction: Direction,
}

/// A word operator that commutes.
struct Commuting(WordOperator<1>);

impl Monoid for Commuting {
    type Elem = [u64; 1];
    #[inline]
    fn identity(&self) -> [u64; 1] {
        self.0.identity()
    }
    #[inline]
    fn combine(&self, left: [u64; 1], right: [u64; 1]) -> [u64; 1] {
        self.0.combine(left, right)
    }
}

impl Commutative for Commuting {}

impl Once<'_> {
    /// The pass itself.
    pub(crate) fn pass<M: Commutative>(
        &self,
        values: &[M::Elem],
        op: &M,
    ) -> Result<Vec<M::Elem>, TreeError> {
        if !self.forest {
            let mut roots = self.parents.iter().zip(0..).filter(|&(&p, _)| p == NONE);
            if let (Some((_, first)), Some((_, second))) = (roots.next(), roots.next()) {
                return Err(TreeError::ManyRoots { first, second, count: 2 + roots.count() });
            }
        }
        match self.direction {
            Direction::Leaffix => leaffix::from_parents(self.parents, values, op),
            Direction::Rootfix => rootfix::from_parents(self.parents, values, op, Scope::Inclusive),
        }
    }

    /// Sums of integers that surely fit. They are the same for all types of 64 bits.
    fn whole<T: Number + Kept<Word = u64>>(&self, x: &[T]) -> Result<Option<Vec<T>>, TreeError> {
        if T::exceed(x) {
            return Ok(None);
        }
        let sums = self.pass(kept::cast_slice(x), &Sum::<i64>::new())?;
        Ok(Some(kept::cast(sums)))
    }

    fn floats<T: Float>(&self, x: &[T]) -> Result<Option<Vec<T>>, TreeError> {
        let sums = self.pass(x, &Sum::new())?;
        let finite = sums.iter().fold(true, |all, x| all & x.as_f64().is_finite());
        Ok(finite.then_some(sums))
    }

    /// Extremes, by the operators on i64, u64 and f64.
    fn extreme(
        &self,
        x: ValueSlice<'_>,
        [signed, unsigned, float]: [WordOperator<1>; 3],
    ) -> Result<Option<Values>, TreeError> {
        Ok(Some(match x {
            ValueSlice::I64(x) => Values::I64(self.words(x, signed)?),
            ValueSlice::U64(x) => Values::U64(self.words(x, unsigned)?),
            ValueSlice::F64(x) => Values::F64(self.words(x, float)?),
            ValueSlice::F32(_) => return Ok(None),
        }))
    }

    /// Bits, which have no sign; none for floats.
    fn bits<M: OneNumber<Elem = u64>>(
        &self,
        x: ValueSlice<'_>,
        op: &M,
    ) -> Result<Option<Values>, TreeError> {
        Ok(match x {
            ValueSlice::I64(x) => Some(Values::I64(self.words(x, WordOperator::new(op))?)),
            ValueSlice::U64(x) => Some(Values::U64(self.words(x, WordOperator::new(op))?)),
            _ => None,
        })
    }

    fn words<T: Words<1>>(&self, x: &[T], op: WordOperator<1>) -> Result<Vec<T>, TreeError> {
        let words: Vec<[u64; 1]> = x.iter().map(|x| x.to_words()).collect();
        let found = self.pass(&words, &Commuting(op))?;
        Ok(found.into_iter().map(T::from_words).collect())
    }
}
