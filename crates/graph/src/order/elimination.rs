//! The elimination tree of an ordered matrix, and the entries of its Cholesky factor.
//!
//! **Problem.** A symmetric pattern in the order of elimination; out come the parent of each column and
//! the number of entries in it, without making them.
//!
//! **Method.** The parent of a column is the row of its first entry below the diagonal; it is
//! found by climbing from each entry with compressed paths. In a postorder, the entries of
//! columns are counted by the leaves of row subtrees.
//!
//! **Cost.** Nearly linear in the entries of the matrix.
//!
//! **Reference.** Liu, *The role of elimination trees in sparse factorization*, 1990; Gilbert,
//! Ng and Peyton, *An efficient algorithm to compute row and column counts for sparse Cholesky
//! factorization*, 1994.

use palmette_core::NONE;

/// The pattern of a symmetric matrix, by places in the order of elimination.
pub(crate) trait Pattern {
    /// The number of rows.
    fn size(&self) -> usize;
    /// The places of a row's entries off the diagonal, in any order; `NONE` for what is not in
    /// the matrix.
    fn neighbours(&self, place: u32) -> impl Iterator<Item = u32>;
}

/// By column, its parent in the elimination tree.
pub(crate) fn elimination_tree(matrix: &impl Pattern) -> Vec<u32> {
    let n = matrix.size();
    let (mut parents, mut ancestors) = (vec![NONE; n], vec![NONE; n]);
    for k in 0..n as u32 {
        for i in matrix.neighbours(k) {
            let mut i = i;
            while i < k {
                let next = std::mem::replace(&mut ancestors[i as usize], k);
                if next == NONE {
                    parents[i as usize] = k;
                    break;
                }
                i = next;
            }
        }
    }
    parents
}

/// A postorder of the tree that keeps the order of children: by new place, the old one;
/// `None` when it is one already. The parents are renumbered.
pub(crate) fn postorder(parents: &mut [u32]) -> Option<Vec<u32>> {
    let n = parents.len();
    // The first column of each subtree, if subtrees are runs of columns.
    let mut sizes = vec![1u32; n];
    let mut sorted = true;
    for (k, &parent) in parents.iter().enumerate() {
        if parent != NONE {
            sizes[parent as usize] += sizes[k];
        }
    }
    // In a postorder the children of each column end where the next one's subtree starts.
    let mut next = vec![0u32; n];
    for (k, next) in next.iter_mut().enumerate() {
        *next = k as u32 + 1 - sizes[k];
    }
    for (k, &parent) in parents.iter().enumerate() {
        if parent != NONE {
            let from = k as u32 + 1 - sizes[k];
            sorted &= std::mem::replace(&mut next[parent as usize], k as u32 + 1) == from;
        }
    }
    if sorted {
        return None;
    }
    // From the root down: a subtree's last place, then those of its children from the right.
    let mut ends = vec![0u32; n];
    let mut end = n as u32;
    let mut places = vec![0u32; n];
    for k in (0..n).rev() {
        let slot = match parents[k] {
            NONE => &mut end,
            parent => &mut ends[parent as usize],
        };
        let place = *slot - 1;
        *slot -= sizes[k];
        places[k] = place;
        ends[k] = place;
    }
    let mut order = vec![0u32; n];
    let mut renumbered = vec![NONE; n];
    for (k, &place) in places.iter().enumerate() {
        order[place as usize] = k as u32;
        if parents[k] != NONE {
            renumbered[place as usize] = places[parents[k] as usize];
        }
    }
    parents.copy_from_slice(&renumbered);
    Some(order)
}

/// By column of a matrix in postorder, its entries with the diagonal.
pub(crate) fn column_counts(matrix: &impl Pattern, parents: &[u32]) -> Vec<u32> {
    let n = parents.len();
    let mut firsts: Vec<u32> = (0..n as u32).collect();
    let mut counts = vec![0i32; n];
    for (k, &parent) in parents.iter().enumerate() {
        // A leaf starts with its diagonal; others have what their children pass on.
        counts[k] += i32::from(firsts[k] == k as u32);
        if parent != NONE {
            let parent = parent as usize;
            firsts[parent] = firsts[parent].min(firsts[k]);
            counts[parent] -= 1;
        }
    }
    let mut last_leaf = vec![NONE; n];
    let mut ancestors: Vec<u32> = (0..n as u32).collect();
    for j in 0..n as u32 {
        for i in matrix.neighbours(j).filter(|&i| i > j && i != NONE) {
            let before = last_leaf[i as usize];
            if before != NONE && before >= firsts[j as usize] {
                continue;
            }
            last_leaf[i as usize] = j;
            counts[j as usize] += 1;
            if before != NONE {
                // Both leaves' paths to row i meet here, and were counted twice from here on.
                let mut meet = before;
                while ancestors[meet as usize] != meet {
                    meet = ancestors[meet as usize];
                }
                counts[meet as usize] -= 1;
                let mut k = before;
                while k != meet {
                    k = std::mem::replace(&mut ancestors[k as usize], meet);
                }
            }
        }
        if parents[j as usize] != NONE {
            ancestors[j as usize] = parents[j as usize];
        }
    }
    for k in 0..n {
        if parents[k] != NONE {
            counts[parents[k] as usize] += counts[k];
        }
    }
    counts.into_iter().map(|count| count as u32).collect()
}
