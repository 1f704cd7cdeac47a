//! The contest rule on all threads.
//!
//! **Method.** A batch of edges by falling criticality is dealt out by pair of children
//! (`cover.rs`) to a fixed number of shards. Crossing edges of different pairs do not mark
//! each other, so each shard decides its own as if there were no non-crossing edges but
//! those known before the batch. Then one pass in order brings the non-crossing edges in:
//! it decides them, and where a newly recovered one marks a crossing edge that its shard
//! had recovered, whatever that pair recovered from there on is withdrawn and the rest of
//! the batch decided again for this pair, in the same pass.
//!
//! **Cost.** As on one thread; each edge is decided twice at most. The pass in order
//! takes a look-up or two per edge while no repair is due.
//!
//! **Determinism.** The same edges in the same order as on one thread.
//!
//! **Reference.** Paper 004, Section 4.2 and Algorithm 6. The paper repairs single marks
//! and their aftereffects; a pair is the smallest thing that has none outside itself.

use super::Recovery;
use super::cover::{Aftereffects, Crossings, Kin};
use super::skeleton::{OffEdge, Skeleton};
use rayon::prelude::*;
use rustc_hash::FxHashSet;
use std::sync::atomic::{AtomicBool, Ordering::Relaxed};

const SHARDS: usize = 64;

#[derive(Clone, Copy)]
struct Asking {
    edge: OffEdge,
    pair: Option<u64>,
}

pub(super) fn recover(skeleton: &mut Skeleton, budget: usize, beta_cap: Option<u32>) -> Recovery {
    let candidates = &mut skeleton.candidates;
    let kin = Kin::new(&skeleton.tree, &skeleton.lca, &candidates.off, beta_cap);
    let mut recovery = Recovery::new(budget);
    let mut shards: Vec<Crossings> = (0..SHARDS).map(|_| Crossings::default()).collect();
    let mut aftereffects = Aftereffects::default();
    let mut asked = 0;
    while !recovery.is_complete() {
        let batch = candidates.next(recovery.batch());
        if batch.is_empty() {
            break;
        }
        let off = &candidates.off;
        let asking = |&index: &u32| {
            let edge = off[index as usize];
            Asking { edge, pair: kin.pair(&edge) }
        };
        let batch: Vec<Asking> = batch.par_iter().with_min_len(1 << 10).map(asking).collect();
        let marked = decide(&kin, &batch, &mut shards, &aftereffects, asked);
        repair(&kin, &batch, &marked, &mut shards, &mut aftereffects, asked, &mut recovery);
        asked += batch.len() as u32;
    }
    recovery
}

fn shard_of(pair: u64) -> usize {
    (pair.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 58) as usize
}

/// Decides the crossing edges of a batch, each shard by itself.
fn decide(
    kin: &Kin<'_>,
    batch: &[Asking],
    shards: &mut [Crossings],
    aftereffects: &Aftereffects,
    asked: u32,
) -> Vec<AtomicBool> {
    let mut members: Vec<Vec<u32>> = vec![Vec::new(); SHARDS];
    for (i, asking) in batch.iter().enumerate() {
        if let Some(pair) = asking.pair {
            members[shard_of(pair)].push(i as u32);
        }
    }
    let marked: Vec<AtomicBool> = (0..batch.len()).map(|_| AtomicBool::new(false)).collect();
    let mut tasks: Vec<(&Vec<u32>, &mut Crossings)> = members.iter().zip(shards).collect();
    tasks.sort_by_key(|task| std::cmp::Reverse(task.0.len()));
    tasks.into_par_iter().with_max_len(1).for_each(|(members, crossings)| {
        for &i in members {
            let edge = batch[i as usize].edge;
            if crossings.covers(kin, &edge) || aftereffects.covers_narrowly(kin, &edge) {
                marked[i as usize].store(true, Relaxed);
            } else {
                crossings.insert(kin, &edge, asked + i);
            }
        }
    });
    marked
}

/// Recovers in order, with the non-crossing edges of the batch and what follows from them.
fn repair(
    kin: &Kin<'_>,
    batch: &[Asking],
    marked: &[AtomicBool],
    shards: &mut [Crossings],
    aftereffects: &mut Aftereffects,
    asked: u32,
    recovery: &mut Recovery,
) {
    let mut undone: FxHashSet<u64> = FxHashSet::default();
    for (i, &Asking { edge, pair }) in batch.iter().enumerate() {
        let order = asked + i as u32;
        let is_marked = match pair {
            Some(pair) if !undone.is_empty() && undone.contains(&pair) => {
                let crossings = &mut shards[shard_of(pair)];
                let is_marked =
                    crossings.covers(kin, &edge) || aftereffects.covers_narrowly(kin, &edge);
                if !is_marked {
                    crossings.insert(kin, &edge, order);
                }
                is_marked
            }
            Some(_) if marked[i].load(Relaxed) => true,
            Some(pair) => {
                let is_marked = aftereffects.covers_narrowly(kin, &edge);
                if is_marked {
                    shards[shard_of(pair)].withdraw(pair, order);
                    undone.insert(pair);
                }
                is_marked
            }
            None => aftereffects.covers(kin, &edge),
        };
        if is_marked {
            continue;
        }
        aftereffects.insert(kin, &edge);
        if recovery.take(&edge) {
            return;
        }
    }
}
