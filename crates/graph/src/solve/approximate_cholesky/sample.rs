//! The clique that an elimination leaves behind, replaced by a few of its edges.
//!
//! **Problem.** A vertex with neighbours of weights `w₁ ≤ … ≤ w_d`, together `W`, is
//! eliminated. That leaves between neighbours `i` and `j` an edge of weight `w_i w_j / W`:
//! `d (d − 1) / 2` edges. Wanted: about `d` edges that have the clique as expectation.
//!
//! **Method.** For each neighbour `i` but the heaviest, a partner `j` is drawn among those
//! after it, with probability `w_j / S_i`, `S_i` being their sum; the edge gets
//! `w_i S_i / W`. A neighbour with `k` copies of its edge draws `k` times, each for a
//! `k`-th of the weight. The edges are connected, and exact for `d ≤ 2`.
//!
//! **Reference.** Kyng and Sachdeva, *Approximate Gaussian elimination for Laplacians*,
//! 2016; Gao, Kyng and Spielman, *Robust and practical solution of Laplacian equations by
//! approximate elimination*, 2023.

use palmette_core::random::Random;

/// A neighbour of the vertex that goes.
#[derive(Debug, Clone, Copy)]
pub(super) struct Neighbour {
    /// Its number.
    pub(super) id: u32,
    /// How many copies of the edge there are.
    pub(super) copies: u32,
    /// What they weigh together.
    pub(super) weight: f64,
}

/// Up to here, sorting by insertion and searching by walking are the fastest.
const FEW: usize = 24;

/// Lightest first; ties by number, so that the order of the list does not matter.
pub(super) fn sort(neighbours: &mut [Neighbour]) {
    let key = |n: &Neighbour| (n.weight, n.id);
    if neighbours.len() > FEW {
        neighbours
            .sort_unstable_by(|a, b| a.weight.total_cmp(&b.weight).then_with(|| a.id.cmp(&b.id)));
        return;
    }
    for i in 1..neighbours.len() {
        let moving = neighbours[i];
        let mut place = i;
        while place > 0 && key(&neighbours[place - 1]) > key(&moving) {
            neighbours[place] = neighbours[place - 1];
            place -= 1;
        }
        neighbours[place] = moving;
    }
}

/// Draws the edges among sorted neighbours. `sums` is overwritten with running sums;
/// `edge` gets the places of both ends and the weight.
#[inline]
pub(super) fn clique(
    neighbours: &[Neighbour],
    sums: &mut Vec<f64>,
    random: &mut Random,
    mut edge: impl FnMut(usize, usize, f64),
) {
    sums.clear();
    let mut total = 0.0;
    for neighbour in neighbours {
        total += neighbour.weight;
        sums.push(total);
    }
    let last = neighbours.len().saturating_sub(1);
    for i in 0..last {
        // The heaviest comes last, so this is no small difference of large numbers.
        let after = total - sums[i];
        let Neighbour { copies, weight, .. } = neighbours[i];
        let share = weight * (after / total) / f64::from(copies);
        for _ in 0..copies {
            let j = if i + 1 == last {
                last
            } else {
                partner(&sums[..last], i, sums[i] + random.unit() * after)
            };
            edge(i, j, share);
        }
    }
}

/// The first place after `i` whose running sum is above `drawn`, or the end.
#[inline]
fn partner(sums: &[f64], i: usize, drawn: f64) -> usize {
    let rest = &sums[i + 1..];
    if rest.len() > FEW {
        return i + 1 + rest.partition_point(|&sum| sum <= drawn);
    }
    i + 1 + rest.iter().take_while(|&&sum| sum <= drawn).count()
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::Purpose;

    fn neighbours(weights: &[f64], copies: u32) -> Vec<Neighbour> {
        let make = |(id, &weight): (usize, &f64)| Neighbour { id: id as u32, copies, weight };
        let mut neighbours: Vec<Neighbour> = weights.iter().enumerate().map(make).collect();
        sort(&mut neighbours);
        assert!(neighbours.is_sorted_by_key(|n| (n.weight, n.id)));
        neighbours
    }

    #[test]
    fn the_expectation_is_the_clique() {
        let weights = [3.0, 1.0, 0.5, 1.0, 8.0];
        let draws = 200_000;
        for copies in [1, 3] {
            let list = neighbours(&weights, copies);
            let mut random = Random::new(5, Purpose::Elimination);
            let mut mean = [[0.0; 5]; 5];
            for _ in 0..draws {
                clique(&list, &mut Vec::new(), &mut random, |i, j, w| {
                    assert!(i < j);
                    mean[i][j] += w / f64::from(draws);
                });
            }
            for i in 0..5 {
                for j in i + 1..5 {
                    let exact = list[i].weight * list[j].weight / 13.5;
                    // One draw gives the value `after` or 0: five standard deviations.
                    let most = list[i].weight;
                    let bound = 5.0 * (exact * most / f64::from(draws)).sqrt();
                    assert!((mean[i][j] - exact).abs() < bound + 1e-12, "{i} {j} {mean:?}");
                }
            }
        }
    }

    #[test]
    fn many_neighbours_are_found_by_halving_as_by_walking() {
        let sums: Vec<f64> = (1..=100).map(f64::from).collect();
        for i in 0..98 {
            for drawn in [i as f64 + 1.0, 60.5, 99.5, 100.0] {
                let walked = (i + 1..100).find(|&j| sums[j] > drawn).unwrap_or(100);
                assert_eq!(partner(&sums, i, drawn), walked);
            }
        }
        let many: Vec<f64> = (0..60).map(|i| f64::from(i * 7 % 60)).collect();
        neighbours(&many, 1);
    }

    #[test]
    fn one_or_two_neighbours_need_no_luck() {
        let mut random = Random::new(5, Purpose::Elimination);
        let mut made = Vec::new();
        for weights in [&[][..], &[2.0], &[1.0, 3.0]] {
            let list = neighbours(weights, 1);
            clique(&list, &mut Vec::new(), &mut random, |i, j, w| made.push((i, j, w)));
        }
        assert_eq!(made, [(0, 1, 0.75)]);
    }
}
