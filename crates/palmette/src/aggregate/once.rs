//! One aggregate from bare parents, without a tree.
//!
//! **Problem.** A file has parents and values, and one question is asked. Making a tree costs more
//! than the answer. **Method.** Sums, counts, extremes and bits go through the engines for bare
//! parents ([`leaffix::from_parents`], [`rootfix::from_parents`]); several columns of one type go
//! through them together (`columns.rs`). Whatever these cannot do, or need not do fast, is left to a
//! tree: `None`. **Determinism.** Sums of floats are made in an order that
//! depends on the input only.

use super::words::{OneNumber, WordOperator, Words};
use super::*;
use palmette_core::memory::huge_vec;
use palmette_core::memory::kept::{self, Kept};
use palmette_core::operator::{And, Min, Or, Xor};
use palmette_core::peel::parents_come_first;
use palmette_core::{Commutative, NONE, TreeError};
use palmette_tree::sum::{Findings, Float};
use palmette_tree::{leaffix, rootfix};

/// The columns of one type.
macro_rules! all {
    ($values:expr, $kind:ident) => {
        $values
            .iter()
            .filter_map(|values| match values {
                ValueSlice::$kind(x) => Some(*x),
                _ => None,
            })
            .collect::<Vec<_>>()
    };
}

/// Bytes per vertex that [`aggregate_once`] takes at least, beside the parents: a value and its answer.
pub const ONCE_BYTES: u64 = 16;

/// Whether [`aggregate_once`] may have an answer, whatever the values; else a tree is needed.
pub fn needs_no_tree(operator: Operator, params: &AggregateParams) -> bool {
    use Operator::{And, Count, Max, Min, Or, Sum, Xor};
    let known = matches!(operator, Count | Sum { .. } | Min | Max | Xor | And | Or);
    known && *params == AggregateParams::default()
}

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
    if !needs_no_tree(operator, params) {
        return Ok(None);
    }
    let several = operator.name().value_columns() == 1 && values.len() > 1;
    if several && (of_several_types(values) || parents_come_first(parents)) {
        let mut missing = false;
        let all = Answer::of_each(values, |column| {
            let one = aggregate_once(parents, forest, direction, operator, column, params)?;
            missing |= one.is_none();
            Ok(one.unwrap_or_else(|| Answer::of_columns(Vec::new())))
        })?;
        return Ok((!missing).then_some(all));
    }
    match several {
        true => values.chunks(1).try_for_each(|one| check(parents.len(), operator, one))?,
        false => check(parents.len(), operator, values)?,
    }
    let once = Once { parents, forest, direction };
    let name = operator.name().name();
    let found = match (operator, values.first().copied()) {
        (Operator::Count, _) => {
            let counts = once.pass(&huge_vec(parents.len(), 1i64), &Sum::new())?;
            Some(vec![Values::U64(kept::cast(counts))])
        }
        (Operator::Sum { .. }, Some(ValueSlice::I64(_))) => once.whole(&all!(values, I64))?,
        (Operator::Sum { .. }, Some(ValueSlice::U64(_))) => once.whole(&all!(values, U64))?,
        (Operator::Sum { .. }, Some(ValueSlice::F64(_))) => once.floats(&all!(values, F64))?,
        (Operator::Sum { .. }, Some(ValueSlice::F32(_))) => once.floats(&all!(values, F32))?,
        (Operator::Min, _) => once.extreme(
            values,
            [
                WordOperator::new(&Min::<i64>::new()),
                WordOperator::new(&Min::<u64>::new()),
                WordOperator::new(&Min::<f64>::new()),
            ],
        )?,
        (Operator::Max, _) => once.extreme(
            values,
            [
                WordOperator::new(&Max::<i64>::new()),
                WordOperator::new(&Max::<u64>::new()),
                WordOperator::new(&Max::<f64>::new()),
            ],
        )?,
        (Operator::Xor, _) => once.bits(values, &Xor::<u64>::new())?,
        (Operator::And, _) => once.bits(values, &And::<u64>::new())?,
        (Operator::Or, _) => once.bits(values, &Or::<u64>::new())?,
        _ => None,
    };
    Ok(found.map(|found| {
        let floats = matches!(found[..], [Values::F64(_) | Values::F32(_), ..]);
        let findings = (floats && operator == Operator::SUM).then(Findings::default);
        let columns = found.into_iter().map(|found| AnswerColumn::numbers(name, found)).collect();
        Answer { columns, present: None, engine: Some(Engine::Sequential), findings }
    }))
}

fn of_several_types(values: &[ValueSlice<'_>]) -> bool {
    values.windows(2).any(|both| both[0].value_type() != both[1].value_type())
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
    /// Several roots are an error, unless it is a forest.
    pub(crate) fn check_roots(&self) -> Result<(), TreeError> {
        let mut roots = self.parents.iter().zip(0..).filter(|&(&p, _)| p == NONE);
        match (self.forest, roots.next(), roots.next()) {
            (false, Some((_, first)), Some((_, second))) => {
                Err(TreeError::ManyRoots { first, second, count: 2 + roots.count() })
            }
            _ => Ok(()),
        }
    }

    /// The pass itself.
    pub(crate) fn pass<M: Commutative>(
        &self,
        values: &[M::Elem],
        op: &M,
    ) -> Result<Vec<M::Elem>, TreeError> {
        self.check_roots()?;
        match self.direction {
            Direction::Leaffix => leaffix::from_parents(self.parents, values, op),
            Direction::Rootfix => rootfix::from_parents(self.parents, values, op, Scope::Inclusive),
        }
    }

    /// Sums of integers that surely fit. They are the same for all types of 64 bits.
    fn whole<T>(&self, columns: &[&[T]]) -> Result<Option<Vec<Values>>, TreeError>
    where
        T: Number + Kept<Word = u64>,
        Values: From<Vec<T>>,
    {
        if columns.iter().any(|x| T::exceed(x)) {
            return Ok(None);
        }
        let words: Vec<&[i64]> = columns.iter().map(|x| kept::cast_slice(x)).collect();
        let sums = self.passes(&words, &Sum::<i64>::new())?;
        Ok(Some(sums.into_iter().map(|sums| kept::cast::<_, T>(sums).into()).collect()))
    }

    fn floats<T: Float>(&self, columns: &[&[T]]) -> Result<Option<Vec<Values>>, TreeError>
    where
        Values: From<Vec<T>>,
    {
        let sums = self.passes(columns, &Sum::new())?;
        let finite = |sums: &Vec<T>| sums.iter().fold(true, |all, x| all & x.as_f64().is_finite());
        Ok(sums.iter().all(finite).then(|| sums.into_iter().map(Values::from).collect()))
    }

    /// Extremes, by the operators on i64, u64 and f64.
    fn extreme(
        &self,
        values: &[ValueSlice<'_>],
        [signed, unsigned, float]: [WordOperator<1>; 3],
    ) -> Result<Option<Vec<Values>>, TreeError> {
        match values.first() {
            Some(ValueSlice::I64(_)) => self.words(&all!(values, I64), signed),
            Some(ValueSlice::U64(_)) => self.words(&all!(values, U64), unsigned),
            Some(ValueSlice::F64(_)) => self.words(&all!(values, F64), float),
            _ => Ok(None),
        }
    }

    /// Bits, which have no sign; none for floats.
    fn bits<M: OneNumber<Elem = u64>>(
        &self,
        values: &[ValueSlice<'_>],
        op: &M,
    ) -> Result<Option<Vec<Values>>, TreeError> {
        match values.first() {
            Some(ValueSlice::I64(_)) => self.words(&all!(values, I64), WordOperator::new(op)),
            Some(ValueSlice::U64(_)) => self.words(&all!(values, U64), WordOperator::new(op)),
            _ => Ok(None),
        }
    }

    fn words<T: Words<1>>(
        &self,
        columns: &[&[T]],
        op: WordOperator<1>,
    ) -> Result<Option<Vec<Values>>, TreeError>
    where
        Values: From<Vec<T>>,
    {
        let words = |x: &&[T]| x.iter().map(|x| x.to_words()).collect();
        let words: Vec<Vec<[u64; 1]>> = columns.iter().map(words).collect();
        let words: Vec<&[[u64; 1]]> = words.iter().map(Vec::as_slice).collect();
        let found = self.passes(&words, &Commuting(op))?.into_iter();
        let typed =
            |words: Vec<[u64; 1]>| -> Vec<T> { words.into_iter().map(T::from_words).collect() };
        Ok(Some(found.map(|words| typed(words).into()).collect()))
    }
}
