//! The contest rule on one thread.
//!
//! **Method.** Edges by falling criticality, a batch at a time; each asks whether one that
//! was recovered before marks it (`cover.rs`). Since marks only ever reach later edges,
//! one pass in order is exact, with crossing and non-crossing edges alike.
//!
//! **Cost.** Linear but for the questions, whose lists are short; only as many edges are
//! sorted as are looked at.
//!
//! **Reference.** Paper 004, Section 3.

use super::Recovery;
use super::cover::{Aftereffects, Crossings, Kin};
use super::skeleton::Skeleton;

pub(super) fn recover(skeleton: &mut Skeleton, budget: usize, beta_cap: Option<u32>) -> Recovery {
    let candidates = &mut skeleton.candidates;
    let kin = Kin::new(&skeleton.tree, &skeleton.lca, &candidates.off, beta_cap);
    let mut recovery = Recovery::new(budget);
    let mut crossings = Crossings::default();
    let mut aftereffects = Aftereffects::default();
    while !recovery.is_complete() {
        let batch = candidates.next(recovery.batch());
        if batch.is_empty() {
            break;
        }
        for index in batch {
            let edge = candidates.off[index as usize];
            let marked = (edge.is_crossing() && crossings.covers(&kin, &edge))
                || aftereffects.covers(&kin, &edge);
            if marked {
                continue;
            }
            if edge.is_crossing() {
                crossings.insert(&kin, &edge, 0);
            }
            aftereffects.insert(&kin, &edge);
            if recovery.take(&edge) {
                break;
            }
        }
    }
    recovery
}
