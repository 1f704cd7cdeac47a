//! Sums of floats over trees on many ranks, with the guarantees of one machine.
//!
//! **Problem.** As [`tree_sums`](super::tree_sums), for a [`DistributedTree`]: values and answers
//! are those of the rank's slice.
//!
//! **Method.** Plain, compensated and exact sums are operators on one, two or up to 34 words,
//! and ranks take any operator. Bounds are another pass, in the same brackets, on three words.
//! For exact sums all ranks agree on one window.
//!
//! **Cost.** That of a rootfix or leaffix with so many words; bounds cost another.
//!
//! **Determinism.** Exact sums: the bits of one machine. The others depend on the number of
//! ranks, whose blocks are the brackets, and not on slices; of a tree without order on the slices,
//! too; within the bounds.

use super::blocks::Carrier;
use super::bound::{self, ErrorBound};
use super::exact::{Exact, Window};
use super::special::{self, Findings, kind};
use super::words::InWords;
use super::{Compensated, Float, SumParams, Summation};
use crate::distributed::{DistributedError, DistributedTree, Metered, OneWord, Ranks};
use crate::{Direction, Scope};
use palmette_core::Monoid;
use palmette_core::operator::{Or, Sum, Words};

/// Sums of the vertices of a slice, and what is known of all sums.
#[derive(Debug, Clone, PartialEq)]
pub struct DistributedSums<T> {
    /// The sums.
    pub sums: Vec<T>,
    /// What the error of each does not exceed, if asked for; infinite where overflow cannot
    /// be excluded.
    pub bounds: Option<Vec<f64>>,
    /// What is not finite, on all ranks together.
    pub findings: Findings,
}

/// The sums of a rootfix or leaffix on many ranks; [`SumParams::engine`] does not matter. Sweeps
/// over values run in the current rayon pool, which must not be waiting for this rank.
///
/// # Errors
/// A wrong number of values on some rank, or ranks that cannot talk to each other.
pub fn distributed_sums<R: Ranks, T: Float + Words<1>, const W: usize>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    values: &[T],
    params: SumParams,
) -> Result<DistributedSums<T>, DistributedError>
where
    T::Wide: Words<W>,
{
    let mut job = Job { ranks, tree, direction, scope: params.scope };
    let mut sums = match params.summation {
        Summation::Plain => {
            let elements = T::all_words(values);
            let sums = job.products(&elements, &InWords(&Sum::<T>::new()))?;
            sums.into_iter().map(T::from_words).collect()
        }
        Summation::Compensated => job.carried(values, &Compensated::<T>::new())?,
        Summation::Exact => job.exact(values)?,
    };
    let findings = job.find(values, params.summation == Summation::Exact, &mut sums)?;
    let bounds = match (params.bounds, params.summation) {
        (false, _) => None,
        (true, Summation::Exact) => Some(bound::of_exact(&sums)),
        (true, Summation::Plain) => {
            let errors = job.carried(values, &ErrorBound::<T>::plain())?;
            Some(errors.into_iter().map(|[error, _]| error).collect())
        }
        (true, Summation::Compensated) => {
            let errors = job.carried(values, &ErrorBound::<T>::wide())?;
            Some(sums.iter().zip(errors).map(|(&sum, e)| bound::rounded(sum, e)).collect())
        }
    };
    Ok(DistributedSums { sums, bounds, findings })
}

/// As [`distributed_sums`], for several columns. Plain sums without bounds follow the tree once for
/// several of them.
///
/// # Errors
/// As [`distributed_sums`].
pub fn distributed_sums_of_columns<R: Ranks, T: Float + Words<1>, const W: usize>(
    ranks: &mut Metered<R>,
    tree: &DistributedTree,
    direction: Direction,
    columns: &[&[T]],
    params: SumParams,
) -> Result<Vec<DistributedSums<T>>, DistributedError>
where
    T::Wide: Words<W>,
{
    if params.bounds || params.summation != Summation::Plain {
        let alone = |values: &&[T]| distributed_sums(ranks, tree, direction, values, params);
        return columns.iter().map(alone).collect();
    }
    let own = tree.slices().of(ranks.rank());
    let expected = (own.end - own.start) as usize;
    let wrong = columns.iter().map(|column| column.len()).find(|&actual| actual != expected);
    ranks
        .agree(wrong.map_or(Ok(()), |actual| Err(DistributedError::Length { expected, actual })))?;
    let word = |column: usize, v: usize| columns[column][v].to_words()[0];
    let (count, sum) = (columns.len(), Sum::<T>::new());
    let all = tree.columns(ranks, direction, count, &word, &InWords(&sum), params.scope)?;
    let mut job = Job { ranks, tree, direction, scope: params.scope };
    let found = |(sums, values): (Vec<u64>, &&[T])| {
        let mut sums: Vec<T> = sums.into_iter().map(|word| T::from_words([word])).collect();
        let findings = job.find(values, false, &mut sums)?;
        Ok(DistributedSums { sums, bounds: None, findings })
    };
    all.into_iter().zip(columns).map(found).collect()
}

struct Job<'a, R> {
    ranks: &'a mut Metered<R>,
    tree: &'a DistributedTree,
    direction: Direction,
    scope: Scope,
}

impl<R: Ranks> Job<'_, R> {
    fn products<M: Monoid<Elem = [u64; N]>, const N: usize>(
        &mut self,
        elements: &[[u64; N]],
        op: &M,
    ) -> Result<Vec<[u64; N]>, DistributedError> {
        match self.direction {
            Direction::Rootfix => self.tree.rootfix(self.ranks, elements, op, self.scope),
            Direction::Leaffix => self.tree.leaffix(self.ranks, elements, op, self.scope),
        }
    }

    fn carried<C: Carrier<Elem: Words<N>>, const N: usize>(
        &mut self,
        values: &[C::Value],
        op: &C,
    ) -> Result<Vec<C::Answer>, DistributedError> {
        let elements: Vec<[u64; N]> = values.iter().map(|&x| op.lift(x).to_words()).collect();
        let sums = self.products(&elements, &InWords(&op.engine()))?;
        drop(elements);
        Ok(sums.into_iter().map(|sum| op.answer(Words::from_words(sum))).collect())
    }

    /// Exact sums of the finite values, in as many words as the values of all ranks need.
    fn exact<T: Float>(&mut self, values: &[T]) -> Result<Vec<T>, DistributedError> {
        let Window { low, high } = Window::of(values);
        let all = self.ranks.gather(&[low, high].map(|bit| bit as u32 as u64))?;
        let window = all
            .words
            .chunks_exact(2)
            .map(|w| Window { low: w[0] as u32 as i32, high: w[1] as u32 as i32 })
            .fold(Window::NONE, Window::join);
        match window.words(self.tree.len() as usize) {
            0..=2 => self.carried(values, &Exact::<T, 2>::new(window.low)),
            3..=5 => self.carried(values, &Exact::<T, 5>::new(window.low)),
            _ => self.carried(values, &Exact::<T, 34>::new(window.low)),
        }
    }

    /// Counts what is not finite, on all ranks; `repair` as on one machine.
    fn find<T: Float>(
        &mut self,
        values: &[T],
        repair: bool,
        sums: &mut [T],
    ) -> Result<Findings, DistributedError> {
        let [nan_values, infinite_values] = self.totals(special::count(values))?;
        let mut overflows = None;
        if nan_values + infinite_values > 0 {
            let kinds: Vec<[u64; 1]> = values.iter().map(|&x| [kind(x).into()]).collect();
            let among = self.products(&kinds, &OneWord(Or::<u64>::new()))?;
            let among: Vec<u32> = among.into_iter().map(|[kinds]| kinds as u32).collect();
            if repair {
                special::put(&among, sums);
            }
            overflows = Some(self.ranks.sum(special::overflows(&among, sums) as u64)? as usize);
        }
        let [nan_sums, infinite_sums] = self.totals(special::count(sums))?;
        let overflows = overflows.unwrap_or(nan_sums + infinite_sums);
        Ok(Findings { nan_values, infinite_values, nan_sums, infinite_sums, overflows })
    }

    fn totals(&mut self, [first, second]: [usize; 2]) -> Result<[usize; 2], DistributedError> {
        let mut total = |own: usize| self.ranks.sum(own as u64).map(|sum| sum as usize);
        Ok([total(first)?, total(second)?])
    }
}
