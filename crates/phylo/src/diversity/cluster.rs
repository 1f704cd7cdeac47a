//! An order of samples in which near ones stand beside each other.
//!
//! **Problem.** Distances of all pairs; a list of the samples that makes a picture of the distances readable.
//! **Method.** Clusters are joined by average distance (UPGMA) along chains of nearest neighbours: where two clusters are
//! each other's nearest they become one. Of two that are joined the list of the first follows that of the second.
//! **Cost.** O(n²) time, and a copy of the distances.
//! **Determinism.** Of several nearest clusters the one before in the chain is taken, or else the first.
//! **Reference.** F. Murtagh, *A survey of recent advances in hierarchical clustering algorithms*, Comput. J. 26 (1983).
//! **When not to use.** To infer trees: averages need not be those of any tree.

use super::Condensed;
use palmette_core::NONE;

/// The samples, near ones beside each other.
///
/// ```
/// use palmette_phylo::diversity::{Condensed, cluster_order};
/// // 0 and 2 are near, 1 is far from both.
/// let order = cluster_order(&Condensed::new(3, vec![9.0, 1.0, 9.0]));
/// assert!(order == [1, 0, 2] || order == [0, 2, 1] || order == [2, 0, 1] || order == [1, 2, 0]);
/// ```
pub fn cluster_order(distances: &Condensed) -> Vec<u32> {
    let n = distances.len();
    let mut between = distances.clone();
    let mut alive: Vec<usize> = (0..n).collect();
    let mut sizes = vec![1.0; n];
    // Lists: the first and the last sample of each cluster, and who follows whom.
    let (first, mut last): (Vec<u32>, Vec<u32>) = (0..n as u32).map(|i| (i, i)).unzip();
    let mut next = vec![NONE; n];
    let mut chain: Vec<usize> = Vec::new();
    while alive.len() > 1 {
        if chain.is_empty() {
            chain.push(alive[0]);
        }
        let at = chain[chain.len() - 1];
        let before = chain.len().checked_sub(2).map(|k| chain[k]);
        let mut nearest = before.map(|k| (between.get(at, k), k));
        for &k in alive.iter().filter(|&&k| k != at) {
            let distance = between.get(at, k);
            if nearest.is_none_or(|(least, _)| distance < least) {
                nearest = Some((distance, k));
            }
        }
        let Some((_, nearest)) = nearest else { break };
        if Some(nearest) != before {
            chain.push(nearest);
            continue;
        }
        chain.truncate(chain.len() - 2);
        let (gone, kept) = (at.max(nearest), at.min(nearest));
        alive.retain(|&k| k != gone);
        for &k in alive.iter().filter(|&&k| k != kept) {
            let both = sizes[gone] * between.get(gone, k) + sizes[kept] * between.get(kept, k);
            between.set(kept, k, both / (sizes[gone] + sizes[kept]));
        }
        sizes[kept] += sizes[gone];
        next[last[kept] as usize] = first[gone];
        last[kept] = last[gone];
    }
    let start = alive.first().map(|&k| first[k]);
    std::iter::successors(start, |&i| Some(next[i as usize]).filter(|&i| i != NONE)).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn order(points: &[f64]) -> Vec<u32> {
        let distance = |i: usize, j: usize| (points[i] - points[j]).abs();
        cluster_order(&Condensed::by(points.len(), distance))
    }

    #[test]
    fn clusters_stand_together() {
        // Three clouds on a line, mixed.
        let points: Vec<f64> = (0..60).map(|i| f64::from(i % 3) * 100.0 + f64::from(i)).collect();
        let found = order(&points);
        let mut sorted = found.clone();
        sorted.sort_unstable();
        assert_eq!(sorted, (0..60).collect::<Vec<u32>>());
        let changes = found.windows(2).filter(|two| two[0] % 3 != two[1] % 3).count();
        assert_eq!(changes, 2);
    }

    #[test]
    fn few_samples_and_ties() {
        assert!(order(&[]).is_empty());
        assert_eq!(order(&[1.0]), [0]);
        assert_eq!(order(&[1.0, 2.0]), [0, 1]);
        assert_eq!(order(&[0.0; 5]).len(), 5);
    }
}
