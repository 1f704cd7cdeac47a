//! Parts for a machine of groups within groups: first one part for each of the largest
//! groups, cut with as few edges as possible, then each of them again for its own.

use super::PartitionParams;
use super::geometry::power;
use super::goals::Goals;
use super::multilevel::in_order;
use super::net::Net;
use crate::machine::FatTree;

/// A part for each vertex, numbered as the processors of the machine are; nothing when a
/// group of few, heavy vertices has fewer than processors.
pub(super) fn by_groups(net: &Net, tree: &FatTree, params: &PartitionParams) -> Option<Vec<u32>> {
    let levels = tree.levels() as f64;
    // What every level may be heavier than its share, so that all of them together keep
    // within the limit.
    let imbalance = power(1.0 + params.imbalance, 1.0 / levels) - 1.0;
    let mut part = vec![0; net.len()];
    let mut groups = vec![(0..net.len() as u32).collect::<Vec<u32>>()];
    let mut place = vec![0; net.len()];
    for (level, &branches) in tree.branches().iter().enumerate() {
        let mut next = Vec::with_capacity(groups.len() * branches as usize);
        for (number, group) in groups.iter().enumerate() {
            if group.len() < tree.below(level) as usize {
                return None;
            }
            let seed = params.seed.wrapping_add((level << 32 | number) as u64);
            let params = PartitionParams { parts: branches, imbalance, seed, ..*params };
            group.iter().zip(0..).for_each(|(&v, k)| place[v as usize] = k);
            let net = net.induced(group, &place);
            let found = in_order(&net, &params, &Goals::even(&net, &params));
            let mut within = vec![Vec::new(); branches as usize];
            for (&v, p) in group.iter().zip(found) {
                part[v as usize] = part[v as usize] * branches + p;
                within[p as usize].push(v);
            }
            next.append(&mut within);
        }
        groups = next;
    }
    Some(part)
}
