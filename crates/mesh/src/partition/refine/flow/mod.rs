//! Better borders between two parts at a time, by smallest cuts.
//!
//! **Method.** Around the border of two parts a corridor is freed; what is left of each
//! part is a terminal. The smallest cut between them replaces the border if it leaves
//! neither part too heavy. If it does, the lighter side takes all it can reach and one
//! vertex more, and the flow goes on from where it is, until a cut is balanced or as
//! large as the border was.
//!
//! **Cost.** For a pair: the size of the corridor times the number of vertices taken.
//!
//! **Reference.** Hamann, Strasser, *Graph bisection with Pareto optimization*, 2018;
//! Gottesbüren et al., *Advanced flow-based multilevel hypergraph partitioning*, 2020.

mod corridor;
mod cut;

use super::Parts;
use crate::partition::net::Net;
use corridor::Corridor;
use palmette_core::random::Random;

/// Improves the borders of all pairs of parts that touch, until none changes or `rounds` are
/// done. `reach` is the most vertices of a part that are freed at once. The fall of the cut.
pub(in crate::partition) fn improve(
    net: &Net,
    parts: &mut Parts,
    reach: usize,
    rounds: usize,
    random: &mut Random,
) -> i64 {
    let count = parts.limits.len();
    let mut changed = vec![true; count];
    let mut corridor = Corridor::new(net.len());
    let mut total = 0;
    for _ in 0..rounds {
        let mut borders = borders(net, parts);
        borders.retain(|b| changed[b.a as usize] || changed[b.b as usize]);
        changed.fill(false);
        random.shuffle(&mut borders);
        let mut fall = 0;
        for border in &borders {
            let gain = corridor.improve(net, parts, border, reach);
            if gain > 0 {
                changed[border.a as usize] = true;
                changed[border.b as usize] = true;
            }
            fall += gain;
        }
        total += fall;
        if fall == 0 {
            break;
        }
    }
    total
}

/// Two parts and the vertices at their border when it was looked for.
struct Border {
    a: u32,
    b: u32,
    vertices: Vec<u32>,
}

fn borders(net: &Net, parts: &Parts) -> Vec<Border> {
    let mut found: Vec<(u32, u32, u32)> = Vec::new();
    for v in 0..net.len() as u32 {
        let own = parts.part[v as usize];
        for &(w, _) in net.row(v) {
            let other = parts.part[w as usize];
            if own != other {
                found.push((own.min(other), own.max(other), v));
            }
        }
    }
    found.sort_unstable();
    found.dedup();
    let pairs = found.chunk_by(|x, y| (x.0, x.1) == (y.0, y.1));
    let border = |pair: &[(u32, u32, u32)]| Border {
        a: pair[0].0,
        b: pair[0].1,
        vertices: pair.iter().map(|x| x.2).collect(),
    };
    pairs.map(border).collect()
}
