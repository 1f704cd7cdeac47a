//! The method for the costs, over blocks of sites.

use super::fitch::Fitch;
use super::hartigan::{self, FinalSets};
use super::lanes::WORDS;
use super::sankoff::{Costs, Number, SITES, Sankoff, best_of};
use super::sankoff_down::{self, WholeTree};
use super::scores::{self, Exactly, certain, exactly};
use super::{
    CostMatrix, Parsimony, ParsimonyError, ParsimonyParams, StateKind, StateSets, TipSets,
};
use palmette_core::Tree;
use palmette_tree::fold::{up, up_and_down};
use std::ops::Range;

/// The least cost of every site, and what else is wanted. Without costs every change costs 1.
///
/// ```
/// use palmette_core::{NONE, Tree};
/// use palmette_phylo::parsimony::{ParsimonyParams, TipSets, parsimony};
/// // Two sites of two states: tips 1, 3 and 4 have 0·1, 0·0 and 1·1; lanes of 4 bits.
/// let tree = Tree::from_parents(&[NONE, 0, 0, 2, 2])?;
/// let filled = |word: u64| [word | 0x3333_3333_3333_3300, !0 / 5, !0 / 5, !0 / 5, !0 / 5, !0 / 5, !0 / 5, !0 / 5];
/// let rows = [filled(0x21), filled(0x11), filled(0x22)].concat();
/// let tips = TipSets::new(2, 2, &rows, &[NONE, 0, NONE, 1, 2])?;
/// assert_eq!(parsimony(&tree, &tips, None, ParsimonyParams::default())?.site_scores, [1.0, 1.0]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// Costs for another number of states, or too large; sites that no states explain; not one row of tips
/// per position.
pub fn parsimony(
    tree: &Tree,
    tips: &TipSets<'_>,
    costs: Option<&CostMatrix>,
    params: ParsimonyParams,
) -> Result<Parsimony, ParsimonyError> {
    if tips.positions() != tree.len() {
        let (expected, actual) = (tree.len(), tips.positions());
        return Err(ParsimonyError::Rows { expected, actual });
    }
    let kind = exactly(tree.len() as u64, tips, costs)?;
    let (found, costs) = match (kind, costs) {
        (Exactly::Single, Some(costs)) => (own_costs::<f32>(tree, tips, costs, params), costs),
        (Exactly::Double, Some(costs)) => (own_costs::<f64>(tree, tips, costs, params), costs),
        _ => {
            return Ok(match tips.bits() {
                4 => equal_costs::<4>(tree, tips, params),
                8 => equal_costs::<8>(tree, tips, params),
                16 => equal_costs::<16>(tree, tips, params),
                _ => equal_costs::<32>(tree, tips, params),
            });
        }
    };
    if let Some(first) = found.site_scores.iter().position(|s| s.is_infinite()) {
        let sites = found.site_scores.iter().filter(|s| s.is_infinite()).count();
        return Err(ParsimonyError::Impossible { sites, first: first + 1 });
    }
    Ok(scaled(found, costs.scale()))
}

fn scaled(mut found: Parsimony, scale: f64) -> Parsimony {
    let branches = found.branch_scores.iter_mut().flatten();
    found.site_scores.iter_mut().chain(branches).for_each(|score| *score /= scale);
    found
}

/// Blocks that are in work at the same time, whose answers are then put together: enough for all
/// threads, and no more than a few, since each has an answer by vertex.
fn groups(blocks: usize) -> impl Iterator<Item = Range<usize>> {
    let some = 2 * rayon::current_num_threads();
    (0..blocks).step_by(some).map(move |first| first..(first + some).min(blocks))
}

fn equal_costs<const BITS: u32>(
    tree: &Tree,
    tips: &TipSets<'_>,
    params: ParsimonyParams,
) -> Parsimony {
    let mut found = Parsimony { site_scores: Vec::new(), branch_scores: None, states: None };
    let add_sites = |scores: &mut Vec<f64>, sites: Vec<u64>| {
        scores.extend(sites.into_iter().map(|changes| changes as f64));
    };
    let (blocks, kept) = (0..tips.blocks(), Fitch::<BITS, true> { tips });
    let one = params.states == Some(StateKind::One);
    let mut sets = Vec::new();
    if params.branches || one {
        let branches = params.branches;
        let down = hartigan::OneOfBest::<BITS> { vertices: tree.len(), branches };
        let mut sums = vec![0.0; tree.len()];
        for group in groups(blocks.len()) {
            let done = up_and_down(tree, &kept, &down, group, |_, rows, changes, branches| {
                (changes.by_site(), if one { best_words(&rows) } else { Vec::new() }, branches)
            });
            for (sites, words, branches) in done {
                add_sites(&mut found.site_scores, sites);
                sets.push(words);
                sums.iter_mut().zip(branches).for_each(|(sum, n)| *sum += f64::from(n));
            }
        }
        found.branch_scores = branches.then_some(sums);
    } else {
        found.site_scores = certain(scores::changes::<_, BITS>(&mut { tree }, tips));
    }
    match params.states {
        Some(StateKind::FirstPass) => {
            sets = up(tree, &kept, blocks).into_iter().map(|(rows, _)| best_words(&rows)).collect();
        }
        Some(StateKind::Mpr) => {
            let down = FinalSets::<BITS>;
            sets = up_and_down(tree, &kept, &down, blocks, |_, rows, _, ()| best_words(&rows));
        }
        Some(StateKind::One) | None => (),
    }
    found.site_scores.truncate(tips.sites());
    let kept = StateSets { bits: BITS, sites: tips.sites(), blocks: sets };
    found.states = params.states.map(|_| kept);
    found
}

/// The first of the two sets of each row.
fn best_words(rows: &[u64]) -> Vec<u64> {
    rows.chunks_exact(2 * WORDS).flat_map(|row| &row[..WORDS]).copied().collect()
}

fn own_costs<T: Number>(
    tree: &Tree,
    tips: &TipSets<'_>,
    given: &CostMatrix,
    params: ParsimonyParams,
) -> Parsimony {
    let costs = &Costs::<T>::new(given);
    let fold = Sankoff { tips, costs };
    let blocks = tips.sites().div_ceil(SITES);
    let site_scores = certain(scores::costs::<_, T>(&mut { tree }, tips, given));
    let mut found = Parsimony { site_scores, branch_scores: None, states: None };
    let mut states = params.states.map(|_| States::new(tree.len(), tips));
    let one = params.states == Some(StateKind::One);
    if params.branches || one {
        let (branches, sites) = (params.branches, tips.sites());
        let down = sankoff_down::OneOfBest { costs, vertices: tree.len(), branches, sites };
        let mut sums = vec![0.0; tree.len()];
        for group in groups(blocks) {
            let done = up_and_down(tree, &fold, &down, group.clone(), |_, rows, (), branches| {
                let only = |row: &[T]| row[..SITES].iter().map(|x| 1 << x.float() as u32).collect();
                (if one { sets_of(&rows, costs.states, only) } else { Vec::new() }, branches)
            });
            for (block, (sets, branches)) in group.zip(done) {
                states.iter_mut().filter(|_| one).for_each(|s| s.put(block, &sets));
                sums.iter_mut().zip(branches).for_each(|(sum, cost)| *sum += cost);
            }
        }
        found.branch_scores = branches.then_some(sums);
    }
    if let Some(states) = states.as_mut().filter(|_| !one) {
        let best = |row: &[T]| best_of(row).to_vec();
        for group in groups(blocks) {
            let done = match params.states {
                Some(StateKind::FirstPass) => {
                    let all = up(tree, &fold, group.clone()).into_iter();
                    all.map(|(rows, ())| sets_of(&rows, costs.states, best)).collect()
                }
                _ => {
                    let down = WholeTree(costs);
                    up_and_down(tree, &fold, &down, group.clone(), |_, rows, (), _| {
                        sets_of(&rows, costs.states, best)
                    })
                }
            };
            group.zip(done).for_each(|(block, sets): (usize, Vec<u32>)| states.put(block, &sets));
        }
    }
    found.states = states.map(|states| states.0);
    found
}

/// The sets of the sites of a block, by position.
fn sets_of<T: Number>(rows: &[T], states: usize, sets: impl Fn(&[T]) -> Vec<u32>) -> Vec<u32> {
    rows.chunks_exact(states * SITES).flat_map(sets).collect()
}

/// Sets that come by blocks of [`SITES`] sites.
struct States(StateSets);

impl States {
    fn new(vertices: usize, tips: &TipSets<'_>) -> States {
        let blocks = vec![vec![0; vertices * WORDS]; tips.blocks()];
        States(StateSets { bits: tips.bits(), sites: tips.sites(), blocks })
    }

    fn put(&mut self, block: usize, sets: &[u32]) {
        let (first, bits) = (block * SITES, self.0.bits as usize);
        let words = &mut self.0.blocks[first * bits / 64 / WORDS];
        for (position, sets) in sets.chunks_exact(SITES).enumerate() {
            for (k, &set) in sets.iter().enumerate() {
                let at = (first + k) * bits;
                words[position * WORDS + at / 64 % WORDS] |= u64::from(set) << (at % 64);
            }
        }
    }
}
