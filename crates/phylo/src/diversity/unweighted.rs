//! Unweighted UniFrac.
//!
//! **Problem.** For all pairs of samples ΣL[one has the branch] / ΣL[one or both have it].
//!
//! **Method.** With G = ΣL over the branches that both have, and PD over those of one, the distance
//! is (PD + PD' − 2G) / (PD + PD' − G). G is the product XᵀLX of the matrix X that says which branch
//! a sample has. Samples go in groups of six; a branch shows each group one of 64 patterns. For a pair
//! of groups lengths are added by both patterns into a table of 64 × 64 (one addition for 36 pairs),
//! from which the 36 sums are read off in the end: the method of the four Russians. Branches of few
//! samples are added pair by pair.
//!
//! **Cost.** For S samples, S²/72 additions per branch, or k²/2 where few, k, have it; 3 µs per
//! pair of groups and block of 32,768 branches. S/6 + 8 bytes per branch of a block, and 8 bytes per pair for sums.
//!
//! **Determinism.** A thread has all sums of a group, and adds by branch. Samples with the same tips are 0 apart: sums in
//! two groups may round differently, so that they are told by a hash of 128 bits of their tips.
//!
//! **Reference.** Arlazarov, Dinic, Kronrod and Faradzev, 1970.

use super::branches::{Block, Branches};
use super::condensed::Triangle;
use super::{Condensed, Samples};
use rayon::prelude::*;

/// Samples in a group.
const GROUP: usize = 6;
const PATTERNS: usize = 1 << GROUP;
/// Branches of a block.
const BRANCHES: usize = 1 << 15;
/// Branches with one of so many samples, or fewer, are added pair by pair.
const SPARSE: usize = 6;

type Table = [f64; PATTERNS * PATTERNS];

pub(super) fn distances(branches: Branches<'_>, samples: &Samples) -> Condensed {
    let n = branches.samples();
    let mut sums = Triangle::<f64>::new(n);
    let mut patterns = Patterns::new(n);
    let mut few = Block::default();
    branches.each_block(|block| {
        few.restart();
        for (ends, &length) in block.starts.windows(2).zip(&block.lengths) {
            let row = &block.samples[ends[0]..ends[1]];
            match SPARSE * row.len() <= n {
                true => few.put(row, length),
                false => patterns.put(row, length),
            }
            if patterns.lengths.len() == BRANCHES {
                patterns.add_to(&mut sums);
            }
        }
        add_few(&mut sums, &few, n);
    });
    patterns.add_to(&mut sums);
    let hashes: Vec<u128> = (0..n).map(|i| hash(samples.sample(i))).collect();
    Condensed::by(n, |i, j| {
        let (both, common) = (sums.get(i, i) + sums.get(j, j), sums.get(i, j));
        match both - common {
            _ if hashes[i] == hashes[j] => 0.0,
            union if union <= 0.0 => 0.0,
            union => ((both - 2.0 * common) / union).clamp(0.0, 1.0),
        }
    })
}

/// Of the set of tips that a sample has.
fn hash((tips, counts): (&[u32], &[f64])) -> u128 {
    let mut tips: Vec<u32> =
        tips.iter().zip(counts).filter(|(_, count)| **count > 0.0).map(|(&tip, _)| tip).collect();
    tips.sort_unstable();
    tips.dedup();
    let half = |tip: u32, seed: u64| {
        // The finish of splitmix64.
        let x = (u64::from(tip) ^ seed).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        u128::from(x ^ (x >> 31))
    };
    let one = |tip| half(tip, 0x5851_f42d_4c95_7f2d) << 64 | half(tip, 0x1405_7b7e_f767_814f);
    tips.into_iter().fold(0, |sum: u128, tip| sum.wrapping_add(one(tip)))
}

impl Block {
    fn restart(&mut self) {
        self.starts.clear();
        self.starts.push(0);
        self.samples.clear();
        self.lengths.clear();
    }

    fn put(&mut self, row: &[u32], length: f64) {
        self.samples.extend_from_slice(row);
        self.starts.push(self.samples.len());
        self.lengths.push(length);
    }
}

/// Adds the lengths of branches that few samples have.
fn add_few(sums: &mut Triangle<f64>, few: &Block, n: usize) {
    let places = few.by_sample(n);
    sums.rows().into_par_iter().enumerate().for_each(|(i, sums)| {
        for place in places.of(i) {
            let length = few.lengths[place.branch as usize];
            for &j in &few.samples[place.entry as usize..place.end as usize] {
                sums[j as usize - i] += length;
            }
        }
    });
}

/// Branches of a block as patterns.
struct Patterns {
    samples: usize,
    lengths: Vec<f64>,
    /// By group, the pattern of each branch.
    groups: Vec<Vec<u8>>,
}

impl Patterns {
    fn new(samples: usize) -> Patterns {
        Patterns { samples, lengths: Vec::new(), groups: vec![Vec::new(); samples.div_ceil(GROUP)] }
    }

    fn put(&mut self, row: &[u32], length: f64) {
        let branch = self.lengths.len();
        self.lengths.push(length);
        for &sample in row {
            let (group, bit) = (sample as usize / GROUP, sample as usize % GROUP);
            // A group that is not on a branch has no pattern there: it is filled up later.
            let group = &mut self.groups[group];
            if group.len() <= branch {
                group.resize(branch + 1, 0);
            }
            group[branch] |= 1 << bit;
        }
    }

    /// Adds the lengths of all pairs, and starts again.
    fn add_to(&mut self, sums: &mut Triangle<f64>) {
        let Patterns { samples, lengths, groups } = self;
        groups.iter_mut().for_each(|group| group.resize(lengths.len(), 0));
        let mut rows = sums.rows();
        let work: Vec<_> = rows.chunks_mut(GROUP).enumerate().collect();
        work.into_par_iter().for_each(|(first, rows)| {
            let mut tables: [Table; 2] = [[0.0; PATTERNS * PATTERNS]; 2];
            for second in first..groups.len() {
                tables.iter_mut().for_each(|table| table.fill(0.0));
                by_pattern(&mut tables, lengths, &groups[first], &groups[second]);
                let common = read_off(&tables);
                for (a, row) in rows.iter_mut().enumerate() {
                    let i = first * GROUP + a;
                    let columns = (second * GROUP).max(i)..((second + 1) * GROUP).min(*samples);
                    for j in columns {
                        row[j - i] += common[a][j - second * GROUP];
                    }
                }
            }
        });
        lengths.clear();
        groups.iter_mut().for_each(Vec::clear);
    }
}

/// Adds lengths by the patterns of two groups. Branches take turns with two tables: additions to the
/// same place need not wait for each other.
#[inline(never)]
fn by_pattern(tables: &mut [Table; 2], lengths: &[f64], first: &[u8], second: &[u8]) {
    let [even, odd] = tables;
    let at = |a: u8, b: u8| (usize::from(a) % PATTERNS) * PATTERNS + usize::from(b) % PATTERNS;
    let (lengths, rest) = lengths.as_chunks::<2>();
    let (firsts, first_rest) = first.as_chunks::<2>();
    let (seconds, second_rest) = second.as_chunks::<2>();
    for ((length, a), b) in lengths.iter().zip(firsts).zip(seconds) {
        even[at(a[0], b[0])] += length[0];
        odd[at(a[1], b[1])] += length[1];
    }
    if let (&[length], &[a], &[b]) = (rest, first_rest, second_rest) {
        even[at(a, b)] += length;
    }
}

/// The sums of all pairs of samples of two groups.
fn read_off([even, odd]: &[Table; 2]) -> [[f64; GROUP]; GROUP] {
    // By sample of the first group and pattern of the second.
    let mut rows = [[0.0; PATTERNS]; GROUP];
    let both = even.chunks_exact(PATTERNS).zip(odd.chunks_exact(PATTERNS));
    for (a, (even, odd)) in both.enumerate() {
        let mut sum = [0.0; PATTERNS];
        for ((sum, even), odd) in sum.iter_mut().zip(even).zip(odd) {
            *sum = even + odd;
        }
        for (_, row) in rows.iter_mut().enumerate().filter(|(bit, _)| a >> bit & 1 == 1) {
            row.iter_mut().zip(&sum).for_each(|(row, sum)| *row += sum);
        }
    }
    rows.map(|row| {
        std::array::from_fn(|bit| {
            row.iter().enumerate().filter(|(b, _)| b >> bit & 1 == 1).map(|(_, sum)| sum).sum()
        })
    })
}
