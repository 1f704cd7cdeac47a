//! Parsimony on ranks none of which has the whole tree: a Newick tree and an alignment in slices.
//!
//! **Method.** Every rank reads its bytes of the tree. Parents that earlier slices opened are asked for there
//! ([`read_newick`]). Tips and sequences meet on the rank that a hash of their name chooses, which compares
//! names in full; then each sequence goes to the rank of its tip ([`bring_rows`]).
//! **Cost.** A few rounds; each name, and each sequence as sets of states, is sent once. Per rank its share of everything, and
//! what follows the other ranks' last marks.
//! **Determinism.** What is sent where depends on names only.

mod names;

pub use names::bring_rows;

use super::parsimony::{AlignedError, NAMED};
use palmette_core::NONE;
use palmette_io::{
    Alignment, FastaBytes, FastaSlices, IoError, NewickSlice, NewickSlices, NewickState, Share,
    short,
};
use palmette_tree::distributed::{
    DistributedError, FoldSlices, Metered, NO_VERTEX, Ranks, RanksError,
};
use std::collections::HashMap;
use thiserror::Error;

/// What a rank has of a tree.
#[derive(Debug, Clone)]
pub struct NamedSlice {
    /// The parents of its vertices, by number; [`NO_VERTEX`] for the root.
    pub parents: Vec<u64>,
    /// Its tips among its vertices, and their names.
    pub tips: Vec<u32>,
    /// Their names.
    pub names: Vec<String>,
}

/// The sequences of a rank's tips.
#[derive(Debug, Clone, Default)]
pub struct TipRows {
    /// Sets of states, row after row.
    pub rows: Vec<u64>,
    /// By place of the rank's stretch, its row; [`NONE`] where any state is possible.
    pub row_of: Vec<u32>,
    /// Tips of the tree, those without a sequence, and sequences without a tip.
    pub tips: u64,
    /// Tips without a sequence.
    pub unknown: u64,
    /// Sequences without a tip.
    pub left_out: u64,
}

/// Why slices of a tree and an alignment do not come together.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum SlicedError {
    /// A file.
    #[error(transparent)]
    Io(#[from] IoError),
    /// Names.
    #[error(transparent)]
    Aligned(#[from] AlignedError),
    /// The tree, or what is between ranks.
    #[error(transparent)]
    Distributed(#[from] DistributedError),
}

impl From<RanksError> for SlicedError {
    fn from(error: RanksError) -> SlicedError {
        SlicedError::Distributed(error.into())
    }
}

/// Reads this rank's slice of a tree.
///
/// # Errors
/// What is no tree, on one of the ranks; the others say which.
pub fn read_newick<R: Ranks>(
    ranks: &mut Metered<R>,
    file: &NewickSlices,
) -> Result<NamedSlice, SlicedError> {
    let (rank, count) = (ranks.rank(), ranks.ranks());
    let read = file.read(Share::even(rank, count)).map_err(SlicedError::from);
    let mut bytes = ranks.agree(read)?;
    let lines = ranks.sum_before(bytes.lines())?;
    // Most ranges begin within a label or a number.
    let mut state = if rank == 0 { NewickState::START } else { NewickState::BEGUN };
    let mut after = bytes.after(state);
    loop {
        let all = ranks.gather(&[after.bits()])?.words;
        let before = rank.checked_sub(1);
        let told = before.map_or(NewickState::START, |before| NewickState::of_bits(all[before]));
        let changed = told != state;
        if changed {
            state = told;
            after = bytes.after(state);
        }
        if ranks.sum(u64::from(changed))? == 0 {
            break;
        }
    }
    let found = file.parse(&mut bytes, state, lines).map_err(SlicedError::from);
    let found = ranks.agree(found)?;
    let sizes = [found.parents.len(), found.closed.len(), found.open.len()].map(|n| n as u64);
    let ended = u64::from(found.end.is_some());
    let all = ranks.gather(&[sizes[0], sizes[1], sizes[2], ended])?.words;
    // What is open before this rank: of each rank, so many of the vertices that it left open.
    let mut open: Vec<(usize, u64)> = Vec::new();
    let (mut depth, mut first, mut over) = (0u64, 0, false);
    for (other, &[vertices, closed, opened, ended]) in
        all.as_chunks::<4>().0.iter().enumerate().take(rank)
    {
        let mut rest = closed;
        while let Some((_, some)) = open.last_mut().filter(|_| rest > 0) {
            let gone = rest.min(*some);
            (*some, rest) = (*some - gone, rest - gone);
            if *some == 0 {
                open.pop();
            }
        }
        depth = depth.saturating_sub(closed) + opened;
        if opened > 0 {
            open.push((other, opened));
        }
        first += vertices;
        over |= ended > 0;
    }
    let wrong = mistake(&found, depth, first, over).map(|(at, expected, what)| {
        SlicedError::from(file.error(&bytes, at, lines, expected, what))
    });
    ranks.agree(wrong.map_or(Ok(()), Err))?;
    drop(bytes);
    let above = ask_open(ranks, &found, &open, first)?;
    let mut parents: Vec<u64> = found
        .parents
        .iter()
        .map(|&parent| if parent == NONE { NO_VERTEX } else { first + u64::from(parent) })
        .collect();
    for (&(vertex, _, _), above) in found.outside.iter().zip(above) {
        parents[vertex as usize] = above;
    }
    let names = found.tip_names().map(str::to_string).collect();
    Ok(NamedSlice { parents, tips: found.tips, names })
}

/// What is wrong with a slice before which so much is open, and so many vertices are; `over` where the tree
/// had ended.
fn mistake(
    found: &NewickSlice,
    depth: u64,
    first: u64,
    over: bool,
) -> Option<(u32, &'static str, &'static str)> {
    let outside = found
        .outside
        .iter()
        .find(|&&(vertex, closed, _)| closed >= depth && (first > 0 || vertex > 0));
    let closed = usize::try_from(depth).ok().and_then(|depth| found.closed.get(depth));
    let unclosed = found.end.filter(|&(open, closed, _)| depth + open > closed);
    let first_byte = outside.map(|&(_, _, at)| at).or_else(|| found.end.map(|(_, _, at)| at));
    match (over, first_byte, closed) {
        (true, Some(at), _) => Some((at, "one tree", "another one")),
        (_, _, Some(&at)) => Some((at, "`;`", "`)` without its `(`")),
        _ => match (outside, unclosed) {
            (Some(&(_, _, at)), _) => Some((at, "`;`", "something outside of all parentheses")),
            (None, Some((_, _, at))) => Some((at, "`)` for each `(`", "`;`")),
            (None, None) => None,
        },
    }
}

/// The parents of the vertices whose parents are open before this rank.
fn ask_open<R: Ranks>(
    ranks: &mut Metered<R>,
    found: &NewickSlice,
    open: &[(usize, u64)],
    first: u64,
) -> Result<Vec<u64>, SlicedError> {
    let count = ranks.ranks();
    // The innermost first; closed parentheses only become more.
    let mut pieces = open.iter().rev();
    let mut piece = pieces.next().copied();
    let (mut passed, mut last) = (0, None);
    let mut questions: Vec<(usize, u64)> = Vec::new();
    let mut place = Vec::with_capacity(found.outside.len());
    for &(_, closed, _) in &found.outside {
        if last != Some(closed) {
            last = Some(closed);
            while let Some((_, some)) = piece.filter(|&(_, some)| closed >= passed + some) {
                passed += some;
                piece = pieces.next().copied();
            }
            if let Some((rank, some)) = piece {
                questions.push((rank, some - 1 - (closed - passed)));
            }
        }
        // The root asks nobody.
        place.push(piece.map(|_| questions.len() - 1));
    }
    // By rank from the first on, as exchanges have them.
    let mut order: Vec<usize> = (0..questions.len()).collect();
    order.sort_by_key(|&k| questions[k].0);
    let mut counts = vec![0; count];
    questions.iter().for_each(|&(rank, _)| counts[rank] += 1);
    let words: Vec<u64> = order.iter().map(|&k| questions[k].1).collect();
    let asked = ranks.exchange(&words, &counts)?;
    let answer = |&k: &u64| first + u64::from(found.open[k as usize]);
    let words: Vec<u64> = asked.words.iter().map(answer).collect();
    let answers = ranks.exchange(&words, &asked.counts)?.words;
    let mut by_question = vec![NO_VERTEX; questions.len()];
    order.iter().zip(answers).for_each(|(&k, vertex)| by_question[k] = vertex);
    Ok(place.into_iter().map(|k| k.map_or(NO_VERTEX, |k| by_question[k])).collect())
}

/// Reads this rank's sequences.
///
/// # Errors
/// As [`read_alignment`](palmette_io::read_alignment), on one of the ranks.
pub fn read_fasta<R: Ranks>(
    ranks: &mut Metered<R>,
    file: &mut FastaSlices,
) -> Result<Alignment, SlicedError> {
    let read = file.read(Share::even(ranks.rank(), ranks.ranks())).map_err(SlicedError::from);
    let bytes: FastaBytes = ranks.agree(read)?;
    let lines = ranks.sum_before(bytes.lines())?;
    let digits = ranks.gather(&[file.largest_digit(&bytes).into()])?.words;
    file.set_largest_digit(digits.into_iter().max().unwrap_or(0) as u8);
    let found = file.parse(&bytes, lines).map_err(SlicedError::from);
    let mut found = ranks.agree(found)?;
    drop(bytes);
    let all = ranks.gather(&[found.names.len() as u64, found.sites as u64])?.words;
    let with = all.as_chunks::<2>().0.iter().find(|[names, _]| *names > 0);
    let sites = with.map_or(0, |&[_, sites]| sites);
    let unequal = found.names.first().filter(|_| found.sites as u64 != sites);
    let unequal = unequal.map(|name| file.unequal(sites, found.sites as u64, name, lines + 1));
    ranks.agree(unequal.map_or(Ok(()), |error| Err(SlicedError::from(error))))?;
    found.sites = sites as usize;
    Ok(found)
}
