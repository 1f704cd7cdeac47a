//! The plain loops that every engine must beat, as a C programmer writes them:
//! no bounds checks, nothing clever.

use palmette_core::NONE;

/// Leaffix over a parent array in which parents come first: copy, then add each
/// vertex to its parent from the last to the first.
pub fn leaffix<T: Copy + std::ops::AddAssign>(parents: &[u32], values: &[T], out: &mut [T]) {
    out.copy_from_slice(values);
    assert!(parents.len() == out.len());
    for i in (0..parents.len()).rev() {
        // SAFETY: `i` is in range, and so are parents of a valid tree.
        unsafe {
            let p = *parents.get_unchecked(i);
            if p != NONE {
                let own = *out.get_unchecked(i);
                *out.get_unchecked_mut(p as usize) += own;
            }
        }
    }
}

/// Rootfix over the same.
pub fn rootfix<T: Copy + std::ops::Add<Output = T>>(parents: &[u32], values: &[T], out: &mut [T]) {
    assert!(parents.len() == out.len() && values.len() == out.len());
    for i in 0..parents.len() {
        // SAFETY: as above.
        unsafe {
            let p = *parents.get_unchecked(i);
            let own = *values.get_unchecked(i);
            let sum = if p == NONE { own } else { *out.get_unchecked(p as usize) + own };
            *out.get_unchecked_mut(i) = sum;
        }
    }
}

/// Leaffix from parents in any order, climbing from each leaf as long as the
/// child counter of the parent runs out.
pub fn climb(parents: &[u32], values: &[i64]) -> Vec<i64> {
    let mut out = values.to_vec();
    let mut pending = vec![0u32; parents.len()];
    for &p in parents {
        if p != NONE {
            pending[p as usize] += 1;
        }
    }
    let leaves: Vec<u32> =
        (0..parents.len() as u32).filter(|&v| pending[v as usize] == 0).collect();
    for leaf in leaves {
        let mut v = leaf as usize;
        // SAFETY: as above.
        unsafe {
            loop {
                let p = *parents.get_unchecked(v);
                if p == NONE {
                    break;
                }
                let p = p as usize;
                let own = *out.get_unchecked(v);
                *out.get_unchecked_mut(p) += own;
                let left = pending.get_unchecked_mut(p);
                *left -= 1;
                if *left != 0 {
                    break;
                }
                v = p;
            }
        }
    }
    out
}

/// Leaffix from parents in any order through a breadth-first order: child lists by
/// counting, a queue, then one pass backwards.
pub fn breadth_first(parents: &[u32], values: &[i64]) -> Vec<i64> {
    let n = parents.len();
    let mut start = vec![0u32; n + 1];
    let mut queue: Vec<u32> = Vec::with_capacity(n);
    for (v, &p) in parents.iter().enumerate() {
        if p == NONE {
            queue.push(v as u32);
        } else {
            start[p as usize + 1] += 1;
        }
    }
    for v in 0..n {
        start[v + 1] += start[v];
    }
    let mut next = start.clone();
    let mut child = vec![0u32; n];
    for (v, &p) in parents.iter().enumerate() {
        if p != NONE {
            child[next[p as usize] as usize] = v as u32;
            next[p as usize] += 1;
        }
    }
    let mut head = 0;
    while head < queue.len() {
        let v = queue[head] as usize;
        head += 1;
        queue.extend_from_slice(&child[start[v] as usize..start[v + 1] as usize]);
    }
    let mut out = values.to_vec();
    for &v in queue.iter().rev() {
        let p = parents[v as usize];
        if p != NONE {
            out[p as usize] += out[v as usize];
        }
    }
    out
}

/// A sparse table over the preorder: the textbook way to lowest common ancestors,
/// `n log n` words. Works on positions.
pub struct SparseTable {
    rows: Vec<Vec<u32>>,
}

impl SparseTable {
    /// Row `k` at `i` has the smallest parent among positions `i .. i + 2^k`.
    pub fn new(parents: &[u32]) -> Self {
        let mut rows = vec![parents.to_vec()];
        let mut half = 1;
        while 2 * half <= parents.len() {
            let last = &rows[rows.len() - 1];
            let row = (0..=parents.len() - 2 * half).map(|i| last[i].min(last[i + half])).collect();
            rows.push(row);
            half *= 2;
        }
        SparseTable { rows }
    }

    /// The smallest parent behind the first of the two up to the second.
    pub fn query(&self, u: u32, v: u32) -> u32 {
        let (a, b) = (u.min(v), u.max(v));
        if a == b {
            return a;
        }
        let (from, length) = (a as usize + 1, b - a);
        let k = length.ilog2();
        let row = &self.rows[k as usize];
        row[from].min(row[b as usize + 1 - (1 << k)])
    }
}
