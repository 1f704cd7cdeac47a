//! Vertices that elimination cannot tell apart, made one.
//!
//! **Method.** Neighbours with the same neighbours, themselves included, have the same sum of random
//! numbers over those; vertices with equal sums are compared. Meshes with several unknowns per node
//! shrink by their number.
//!
//! **Cost.** Linear but for sorting the sums. **Determinism.** Equal lists are made sure of.

use super::net::Net;
use palmette_core::NONE;

/// A compression is used when it leaves at most this share of the vertices, in hundredths.
const MOST: usize = 85;

/// The smaller net, and by vertex of it the vertices that became it; `None` if it is hardly smaller.
pub(super) fn compress(net: &Net) -> Option<(Net, Vec<Vec<u32>>)> {
    let n = net.len();
    let sums: Vec<u64> = (0..n as u32)
        .map(|v| net.row(v).iter().fold(mix(v), |sum, &w| sum.wrapping_add(mix(w))))
        .collect();
    let mut order: Vec<u32> = (0..n as u32).collect();
    order.sort_unstable_by_key(|&v| (sums[v as usize], v));
    let mut group = vec![NONE; n];
    let mut members: Vec<Vec<u32>> = Vec::new();
    let mut mark = vec![NONE; n];
    for run in order.chunk_by(|&v, &w| sums[v as usize] == sums[w as usize]) {
        for (i, &v) in run.iter().enumerate() {
            if group[v as usize] != NONE {
                continue;
            }
            let number = members.len() as u32;
            group[v as usize] = number;
            let mut all = vec![v];
            if run.len() > 1 {
                mark[v as usize] = v;
                net.row(v).iter().for_each(|&w| mark[w as usize] = v);
                for &w in &run[i + 1..] {
                    let equal = group[w as usize] == NONE
                        && net.row(w).len() == net.row(v).len()
                        && mark[w as usize] == v
                        && net.row(w).iter().all(|&u| mark[u as usize] == v);
                    if equal {
                        group[w as usize] = number;
                        all.push(w);
                    }
                }
            }
            members.push(all);
        }
    }
    if members.len() * 100 > n * MOST {
        return None;
    }
    // In the order of their first vertices, which may be good for memory.
    members.sort_unstable_by_key(|all| all[0]);
    for (number, all) in members.iter().enumerate() {
        all.iter().for_each(|&v| group[v as usize] = number as u32);
    }
    let mut small = Net { offsets: vec![0], ..Net::default() };
    let mut mark = vec![NONE; members.len()];
    for (number, all) in members.iter().enumerate() {
        mark[number] = number as u32;
        for &w in net.row(all[0]) {
            let other = group[w as usize];
            if mark[other as usize] != number as u32 {
                mark[other as usize] = number as u32;
                small.neighbours.push(other);
                small.ties.push((all.len() * members[other as usize].len()) as u32);
            }
        }
        small.offsets.push(small.neighbours.len() as u32);
        small.weights.push(all.iter().map(|&v| net.weights[v as usize]).sum());
    }
    Some((small, members))
}

/// A number that looks random.
fn mix(v: u32) -> u64 {
    let mut x = (u64::from(v) + 1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    x = (x ^ x >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    x = (x ^ x >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    x ^ x >> 31
}
