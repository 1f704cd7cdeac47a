//! What the factor of an ordered matrix will look like: its elimination tree, the entries of
//! each column, and which columns are stored together.
//!
//! **Method.** Parents and counts come from [`elimination`](crate::order::elimination). Columns with
//! equal structure along a chain form a *supernode*; one whose parent is next to it joins the
//! parent when few zeros have to be stored.
//!
//! **Cost.** Nearly linear in the entries of the matrix, but for the rows of supernodes,
//! which are as many as are stored.
//!
//! **Reference.** Chen, Davis, Hager and Rajamanickam, *Algorithm 887: CHOLMOD*, 2008.

use super::matrix::Matrix;
use crate::order::elimination::Pattern;
use palmette_core::NONE;

/// Operations per entry above which supernodes are worth their while.
const SUPERNODAL: f64 = 40.0;

/// Supernodes join when they have at most this many columns together, and at most this part
/// of what is stored are zeros.
const RELAX: [(usize, f64); 4] = [(4, 0.6), (16, 0.3), (48, 0.1), (usize::MAX, 0.05)];

/// As [`RELAX`], for [long](LONG) tails: what a front passes on then costs more than its zeros.
const RELAX_LONG: [(usize, f64); 4] = [(4, 1.0), (16, 0.8), (48, 0.1), (usize::MAX, 0.05)];

/// Rows of a long tail.
const LONG: usize = 256;

/// Whether there is enough fill for supernodes.
pub(super) fn is_supernodal(counts: &[u32]) -> bool {
    let operations = |c: f64| c + c * (c + 1.0) / 2.0;
    let (mut work, mut entries) = (0.0, 0.0);
    for &count in counts {
        work += operations(f64::from(count));
        entries += f64::from(count);
    }
    work > SUPERNODAL * entries
}

/// Columns that are stored together.
#[derive(Debug)]
pub(super) struct Supernodes {
    /// By supernode, its first column; and the number of columns.
    pub(super) begins: Vec<u32>,
    /// By supernode, its parent.
    pub(super) parents: Vec<u32>,
    /// By supernode, where its rows below its own columns start.
    pub(super) tails: Vec<usize>,
    /// These rows, ascending.
    pub(super) rows: Vec<u32>,
    /// By supernode, where its values start: a column after the other, from its first own row
    /// to the last of its tail.
    pub(super) values: Vec<usize>,
}

impl Supernodes {
    /// Finds them; their rows are still to be [filled](Self::fill_rows).
    pub(super) fn new(parents: &[u32], counts: &[u32]) -> Self {
        let n = parents.len();
        let mut children = vec![0u32; n];
        for &parent in parents.iter().filter(|&&parent| parent != NONE) {
            children[parent as usize] += 1;
        }
        // The last columns of those that are merged so far, and how many zeros they hold.
        let mut ends: Vec<(u32, u64)> = Vec::new();
        for k in 0..n {
            let joins = k > 0
                && parents[k - 1] == k as u32
                && children[k] == 1
                && counts[k - 1] == counts[k] + 1;
            if joins {
                ends.last_mut().expect("the column before has one").0 = k as u32 + 1;
            } else {
                ends.push((k as u32 + 1, 0));
            }
        }
        let ends = relax(ends, parents, counts);
        let mut begins = Vec::with_capacity(ends.len() + 1);
        begins.push(0);
        begins.extend(ends);
        let supernodes = begins.len() - 1;
        let mut of = children;
        for s in 0..supernodes {
            of[begins[s] as usize..begins[s + 1] as usize].fill(s as u32);
        }
        let (mut tails, mut values) = (vec![0], vec![0]);
        let mut up = Vec::with_capacity(supernodes);
        for s in 0..supernodes {
            let last = begins[s + 1] as usize - 1;
            let (columns, tail) = (last + 1 - begins[s] as usize, counts[last] as usize - 1);
            tails.push(tails[s] + tail);
            values.push(values[s] + columns * (columns + tail));
            up.push(if parents[last] == NONE { NONE } else { of[parents[last] as usize] });
        }
        Supernodes { begins, parents: up, tails, rows: Vec::new(), values }
    }

    /// The number of supernodes.
    pub(super) fn len(&self) -> usize {
        self.parents.len()
    }

    /// The values to store.
    pub(super) fn entries(&self) -> usize {
        self.values[self.len()]
    }

    /// Bytes of the rows, and of what is needed to find them.
    pub(super) fn bytes(&self) -> u64 {
        let (columns, rows) = (self.begins[self.len()] as u64, self.tails[self.len()] as u64);
        4 * (columns + rows) + 16 * self.len() as u64
    }

    /// The columns of a supernode.
    pub(super) fn columns(&self, s: usize) -> std::ops::Range<usize> {
        self.begins[s] as usize..self.begins[s + 1] as usize
    }

    /// The rows of a supernode below its columns.
    pub(super) fn tail(&self, s: usize) -> &[u32] {
        &self.rows[self.tails[s]..self.tails[s + 1]]
    }

    /// The length of the longest tail.
    pub(super) fn longest_tail(&self) -> usize {
        self.tails.windows(2).map(|pair| pair[1] - pair[0]).max().unwrap_or(0)
    }

    /// The most rows of any, with its own.
    pub(super) fn longest(&self) -> usize {
        let rows = |s: usize| self.columns(s).len() + self.tails[s + 1] - self.tails[s];
        (0..self.len()).map(rows).max().unwrap_or(0)
    }

    /// Climbs from the entries of each row, so that rows come in order.
    pub(super) fn fill_rows(&mut self, matrix: &Matrix<'_>) {
        let mut of = vec![0u32; matrix.size()];
        for s in 0..self.len() {
            of[self.columns(s)].fill(s as u32);
        }
        // By supernode, the last row that it has, and the place of the next.
        let mut seen: Vec<(u32, usize)> =
            self.tails[..self.len()].iter().map(|&start| (NONE, start)).collect();
        self.rows = vec![0; self.tails[self.len()]];
        for k in 0..matrix.size() as u32 {
            seen[of[k as usize] as usize].0 = k;
            for i in matrix.neighbours(k).filter(|&i| i < k) {
                let mut s = of[i as usize] as usize;
                while seen[s].0 != k {
                    let (last, next) = &mut seen[s];
                    *last = k;
                    self.rows[*next] = k;
                    *next += 1;
                    s = self.parents[s] as usize;
                }
            }
        }
    }
}

/// Merges supernodes with the parent next to them while few zeros are stored. In and out: the
/// ends of their columns, in the beginning with a number of zeros.
fn relax(ends: Vec<(u32, u64)>, parents: &[u32], counts: &[u32]) -> Vec<u32> {
    // Merged ones, with their first columns.
    let mut merged: Vec<(u32, u32, u64)> = Vec::with_capacity(ends.len());
    let mut begin = 0;
    for (end, zeros) in ends {
        let mut own = (begin, end, zeros);
        if let Some(&(child, child_end, child_zeros)) = merged.last()
            && (own.0..own.1).contains(&parents[child_end as usize - 1])
        {
            let (width, child_width) = ((own.1 - own.0) as usize, (child_end - child) as usize);
            let below = |end: u32| counts[end as usize - 1] as usize - 1;
            let (tail, child_tail) = (below(own.1), below(child_end));
            let added = ((width + tail - child_tail) * child_width) as u64;
            let zeros = own.2 + child_zeros + added;
            let both = width + child_width;
            let stored = (both * (both + 1) / 2 + tail * both) as f64;
            let few =
                |&(columns, part): &(usize, f64)| both <= columns && zeros as f64 <= stored * part;
            let relax = if tail < LONG { &RELAX } else { &RELAX_LONG };
            if added == 0 || relax.iter().any(few) {
                merged.pop();
                own = (child, end, zeros);
            }
        }
        merged.push(own);
        begin = end;
    }
    merged.into_iter().map(|(_, end, _)| end).collect()
}
