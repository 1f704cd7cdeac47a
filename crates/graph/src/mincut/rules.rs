//! Edges that no better cut has, found at a glance.
//!
//! **Problem.** A bound on the minimum cut; sets of vertices that some cut below the bound leaves
//! whole, if there is any cut below it.
//!
//! **Method.** Three of Padberg and Rinaldi's tests. An edge `uv` is contracted if `w(uv)` reaches
//! the bound; if `w(uv) + Σ min(w(ux), w(vx))` does, over common neighbours `x`; and, if only *one*
//! minimum cut is wanted, if `2 w(uv)` reaches the degree of `u`: moving `u` to the side of `v`
//! makes no cut heavier but that of `u` alone, which the bound knows. Each vertex is moved for one
//! edge at most, so that moves from the roots of the forest of these edges down hold together.
//!
//! **Cost.** O(m d), `d` the degree of the smaller end, at most [`CROWD`].
//!
//! **Reference.** Padberg and Rinaldi, *An efficient algorithm for the minimum capacity cut
//! problem*, 1990; Henzinger, Noe, Schulz, Strash, *Practical minimum cut algorithms*, 2018.

use super::kernel::Kernel;
use palmette_core::graph::Sets;

/// Common neighbours are looked for where one end has no more neighbours than this.
const CROWD: usize = 64;

/// Which cuts must be left.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Keep {
    /// One below the bound.
    One,
    /// All below the bound.
    All,
}

/// Unites ends of edges by the tests; the number of unions.
pub(super) fn unite(kernel: &Kernel, bound: u64, keep: Keep, sets: &mut Sets) -> usize {
    let mut united = 0;
    let mut weight_to = vec![0u64; kernel.len()];
    for v in 0..kernel.len() as u32 {
        let neighbours = kernel.arcs(v).len();
        let mut heaviest = (0, 0);
        let mut marked = false;
        for (u, w) in kernel.row(v) {
            heaviest = heaviest.max((w, u));
            if w >= bound {
                united += usize::from(sets.link(u, v));
                continue;
            }
            // Each edge is looked at from the end with more neighbours.
            let others = kernel.arcs(u).len();
            if (others, u) >= (neighbours, v) || others > CROWD {
                continue;
            }
            if !marked {
                kernel.row(v).for_each(|(x, w)| weight_to[x as usize] = w);
                marked = true;
            }
            let mut found = w;
            for (x, other) in kernel.row(u) {
                found += other.min(weight_to[x as usize]);
                if found >= bound {
                    united += usize::from(sets.link(u, v));
                    break;
                }
            }
        }
        if marked {
            kernel.row(v).for_each(|(x, _)| weight_to[x as usize] = 0);
        }
        let (w, u) = heaviest;
        if keep == Keep::One && w > 0 && 2 * w >= kernel.degrees()[v as usize] {
            united += usize::from(sets.link(u, v));
        }
    }
    united
}
