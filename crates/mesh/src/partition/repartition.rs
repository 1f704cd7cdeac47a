//! New parts from old ones, with few vertices that move.
//!
//! **Problem.** A graph, the part that each vertex has now, and what it costs to move a unit of
//! weight; out come parts within their limits with a small sum of the cut and of what moves.
//!
//! **Method.** Every part gets an *anchor*, a vertex without weight that is fixed in it, and every
//! vertex an edge to the anchor of its part, as heavy as moving it costs: then that sum is a cut,
//! which all searches know to make small. They start from the old parts; and from parts made as if
//! there were none, numbered so that most weight stays (a matching of largest weight), as they
//! are and refined with the anchors. The best of these is taken.
//!
//! **Cost.** That of a partition, of the refinements, and an edge more per vertex; the matching is
//! cubic in the number of parts, so that above 1,024 parts the largest overlaps are taken in turns.
//!
//! **Reference.** Çatalyürek et al., *Hypergraph-based dynamic load balancing for adaptive scientific
//! computations*, 2007 (anchors); Schloegel, Karypis, Kumar, *Wavefront diffusion and LMSR*, 2001.

use super::demands::Previous;
use super::goals::Goals;
use super::multilevel::{again, refined};
use super::net::{Net, Scale};
use super::refine::Plain;
use super::{Effort, PartitionParams};
use palmette_core::{Graph, NONE};

/// The matching is made for up to so many parts.
const MATCHED: usize = 1024;

/// Parts for each vertex of a net, which is that of the graph.
pub(super) fn repartition(
    graph: &Graph,
    net: &Net,
    params: &PartitionParams,
    goals: &Goals,
    previous: &Previous,
) -> Vec<u32> {
    let anchored = anchored(graph, net, params.parts, previous);
    let goals_there = Goals { least: 2, plain: false, ..goals.clone() };
    let cycles =
        params.cycles.unwrap_or(Effort::new(params.preset, net.len(), params.parts).cycles);
    let refine = |mut part: Vec<u32>, first: u64| {
        part.extend(0..params.parts);
        for cycle in 1..=cycles.max(1) as u64 {
            part = again(&anchored, params, &goals_there, part, &Plain, first + cycle);
        }
        part.truncate(net.len());
        part
    };
    let scratch = || {
        let part = refined(net, params, goals);
        let part = renumbered(net, goals, part, previous);
        let better = refine(part.clone(), 1 << 14);
        [part, better]
    };
    let on = || start(net, params.parts, previous).map(|part| refine(part, 0));
    let (on, scratch) = rayon::join(on, scratch);
    let cost = |part: &Vec<u32>| {
        let all: Vec<u32> = part.iter().copied().chain(0..params.parts).collect();
        (goals.excess_of(net, part), anchored.cut(&all))
    };
    let found = on.into_iter().chain(scratch);
    found.min_by_key(cost).unwrap_or_default()
}

/// The net with anchors; it has no points.
fn anchored(graph: &Graph, net: &Net, parts: u32, previous: &Previous) -> Net {
    let n = net.len();
    let home = |v: usize| previous.part[v] < parts && net.weights[v] > 0;
    let tie = |v: usize| previous.migration * net.weights[v] as f64;
    let ties = (0..n).filter(|&v| home(v) && tie(v) > 0.0);
    let mut all: Vec<f64> = graph.all_weights().to_vec();
    all.extend(ties.clone().flat_map(|v| [tie(v); 2]));
    let scale = Scale::of(&all);
    let mut made = Net {
        offsets: Vec::with_capacity(n + parts as usize + 1),
        entries: Vec::with_capacity(all.len()),
        weights: net.weights.clone(),
        fixed: if net.fixed.is_empty() { vec![NONE; n] } else { net.fixed.clone() },
        more: net.more.clone(),
        points: Vec::new(),
    };
    drop(all);
    made.weights.extend((0..parts).map(|_| 0));
    made.fixed.extend(0..parts);
    made.more.extend(std::iter::repeat_n(0, net.kinds() * parts as usize));
    let mut of_anchor: Vec<Vec<(u32, u32)>> = vec![Vec::new(); parts as usize];
    made.offsets.push(0);
    let mut ties = ties.peekable();
    for v in 0..n {
        let row = graph.neighbours(v as u32).iter().zip(graph.weights(v as u32));
        made.entries.extend(row.map(|(&w, &weight)| (w, scale.whole(weight))));
        if ties.next_if_eq(&v).is_some() {
            let (part, weight) = (previous.part[v], scale.whole(tie(v)));
            made.entries.push((n as u32 + part, weight));
            of_anchor[part as usize].push((v as u32, weight));
        }
        made.offsets.push(made.entries.len());
    }
    for row in of_anchor {
        made.entries.extend(row);
        made.offsets.push(made.entries.len());
    }
    made
}

/// The old parts; vertices without one have that of others near them. `None` where nobody has one.
fn start(net: &Net, parts: u32, previous: &Previous) -> Option<Vec<u32>> {
    let known = |p: u32| if p < parts { p } else { NONE };
    let mut part: Vec<u32> = previous.part.iter().map(|&p| known(p)).collect();
    let mut queue: Vec<u32> = (0..net.len() as u32).filter(|&v| part[v as usize] != NONE).collect();
    let first = part[*queue.first()? as usize];
    let mut next = 0;
    while let Some(&v) = queue.get(next) {
        next += 1;
        for &(w, _) in net.row(v) {
            if part[w as usize] == NONE {
                part[w as usize] = part[v as usize];
                queue.push(w);
            }
        }
    }
    part.iter_mut().filter(|p| **p == NONE).for_each(|p| *p = first);
    let fixed = net.fixed.iter().zip(&mut part).filter(|(fixed, _)| **fixed != NONE);
    fixed.for_each(|(&fixed, p)| *p = fixed);
    Some(part)
}

/// The same parts, numbered so that most weight is where it was.
fn renumbered(net: &Net, goals: &Goals, part: Vec<u32>, previous: &Previous) -> Vec<u32> {
    let parts = goals.limits.len();
    let mut overlaps: Vec<(u32, u32, i64)> = Vec::new();
    for (v, (&new, &old)) in part.iter().zip(&previous.part).enumerate() {
        if (old as usize) < parts {
            overlaps.push((new, old, net.weights[v]));
        }
    }
    overlaps.sort_unstable_by_key(|overlap| (overlap.0, overlap.1));
    overlaps.dedup_by(|next, kept| {
        let same = (next.0, next.1) == (kept.0, kept.1);
        kept.2 += if same { next.2 } else { 0 };
        same
    });
    let number = match parts <= MATCHED {
        true => matching(parts, &overlaps),
        false => in_turns(parts, overlaps),
    };
    let moved: Vec<u32> = part.iter().map(|&p| number[p as usize]).collect();
    let holds = net.fixed.iter().zip(&moved).all(|(&fixed, &p)| fixed == NONE || fixed == p);
    let fits = goals.plain || goals.excess_of(net, &moved) <= goals.excess_of(net, &part);
    if holds && fits { moved } else { part }
}

/// By row its column, so that the weights of the pairs have the largest sum: shortest augmenting
/// paths with potentials (Hungarian method).
fn matching(n: usize, weights: &[(u32, u32, i64)]) -> Vec<u32> {
    let mut costs = vec![0i64; n * n];
    weights.iter().for_each(|&(row, column, w)| costs[row as usize * n + column as usize] = -w);
    // Row and column 0 stand for nothing.
    let (mut of_row, mut of_column) = (vec![0i64; n + 1], vec![0i64; n + 1]);
    let (mut row_of, mut before) = (vec![0usize; n + 1], vec![0usize; n + 1]);
    for row in 1..=n {
        row_of[0] = row;
        let mut column = 0;
        let (mut least, mut used) = (vec![i64::MAX; n + 1], vec![false; n + 1]);
        while row_of[column] != 0 {
            used[column] = true;
            let (row, mut delta, mut next) = (row_of[column], i64::MAX, 0);
            for j in (1..=n).filter(|&j| !used[j]) {
                let reduced = costs[(row - 1) * n + j - 1] - of_row[row] - of_column[j];
                if reduced < least[j] {
                    (least[j], before[j]) = (reduced, column);
                }
                if least[j] < delta {
                    (delta, next) = (least[j], j);
                }
            }
            for j in 0..=n {
                if used[j] {
                    of_row[row_of[j]] += delta;
                    of_column[j] -= delta;
                } else {
                    least[j] -= delta;
                }
            }
            column = next;
        }
        while column != 0 {
            row_of[column] = row_of[before[column]];
            column = before[column];
        }
    }
    let mut number = vec![0; n];
    (1..=n).for_each(|column| number[row_of[column] - 1] = column as u32 - 1);
    number
}

/// The largest overlaps first; what is left in order.
fn in_turns(n: usize, mut overlaps: Vec<(u32, u32, i64)>) -> Vec<u32> {
    overlaps.sort_unstable_by_key(|&(new, old, weight)| (std::cmp::Reverse(weight), new, old));
    let (mut number, mut taken) = (vec![NONE; n], vec![false; n]);
    for (new, old, _) in overlaps {
        if number[new as usize] == NONE && !taken[old as usize] {
            number[new as usize] = old;
            taken[old as usize] = true;
        }
    }
    let mut left = (0..n as u32).filter(|&p| !taken[p as usize]);
    number.iter_mut().filter(|p| **p == NONE).for_each(|p| *p = left.next().unwrap_or(0));
    number
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::{Purpose, Random};

    #[test]
    fn matchings_have_the_largest_weight() {
        let mut random = Random::new(5, Purpose::Samples);
        for _ in 0..200 {
            let n = 1 + random.below(5) as usize;
            let pair = |i: usize| ((i / n) as u32, (i % n) as u32);
            let weights: Vec<(u32, u32, i64)> =
                (0..n * n).map(|i| (pair(i).0, pair(i).1, i64::from(random.below(20)))).collect();
            let sum = |order: &[u32]| -> i64 {
                order.iter().enumerate().map(|(row, &c)| weights[row * n + c as usize].2).sum()
            };
            let mut order: Vec<u32> = (0..n as u32).collect();
            let mut best = 0;
            permute(&mut order, 0, &mut |order| best = best.max(sum(order)));
            assert_eq!(sum(&matching(n, &weights)), best);
            let mut greedy = in_turns(n, weights.clone());
            assert!(2 * sum(&greedy) >= best);
            greedy.sort_unstable();
            assert!(greedy.into_iter().eq(0..n as u32));
        }
    }

    fn permute(order: &mut Vec<u32>, from: usize, take: &mut dyn FnMut(&[u32])) {
        if from == order.len() {
            take(order);
        }
        for i in from..order.len() {
            order.swap(from, i);
            permute(order, from + 1, take);
            order.swap(from, i);
        }
    }
}
