//! Nodes whose potentials differ by a known number.
//!
//! **Problem.** Statements `V(a) − V(b) = value`: which nodes hang together, by how much
//! they differ, and whether a statement contradicts earlier ones.
//! **Method.** Union by size; each node knows its potential relative to its parent, and
//! paths are halved on the way up, with potentials added.
//! **Cost.** Practically constant work per statement; 16 bytes per node.
//! **Reference.** Tarjan and van Leeuwen, *Worst-case analysis of set union algorithms*,
//! 1984.

/// Two statements about the same difference may round differently.
const ROUNDING: f64 = 1e-9;

pub(crate) struct Merged {
    parent: Vec<u32>,
    size: Vec<u32>,
    /// The potential above the parent's.
    above: Vec<f64>,
}

impl Merged {
    /// Nodes, each on its own.
    pub(crate) fn new(nodes: usize) -> Merged {
        Merged {
            parent: (0..nodes as u32).collect(),
            size: vec![1; nodes],
            above: vec![0.0; nodes],
        }
    }

    /// The set of a node, and the node's potential above that of the set.
    #[inline]
    pub(crate) fn find(&mut self, node: u32) -> (u32, f64) {
        let (mut at, mut above) = (node as usize, 0.0);
        loop {
            let up = self.parent[at] as usize;
            if up == at {
                return (at as u32, above);
            }
            let top = self.parent[up];
            if top as usize != up {
                self.above[at] += self.above[up];
                self.parent[at] = top;
            }
            above += self.above[at];
            at = self.parent[at] as usize;
        }
    }

    /// States that `a` lies `value` above `b`, and says whether that is news; the difference
    /// stated before, if it is another.
    pub(crate) fn join(&mut self, a: u32, b: u32, value: f64) -> Result<bool, f64> {
        let ((set_a, above_a), (set_b, above_b)) = (self.find(a), self.find(b));
        if set_a == set_b {
            let known = above_a - above_b;
            let scale = above_a.abs().max(above_b.abs()).max(value.abs());
            let same = (known - value).abs() <= ROUNDING * scale;
            return if same { Ok(false) } else { Err(known) };
        }
        // The potential of set a above that of set b.
        let difference = value + above_b - above_a;
        let (low, high) = match self.size[set_a as usize] <= self.size[set_b as usize] {
            true => (set_a as usize, set_b),
            false => (set_b as usize, set_a),
        };
        self.parent[low] = high;
        self.above[low] = if low as u32 == set_a { difference } else { -difference };
        self.size[high as usize] += self.size[low];
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn differences_of_stated_potentials(
            joins in prop::collection::vec((0u32..30, 0u32..30), 0..60),
            potentials in prop::collection::vec(-50i32..50, 30),
        ) {
            let mut merged = Merged::new(30);
            let mut set: Vec<u32> = (0..30).collect();
            let value = |a: u32, b: u32| f64::from(potentials[a as usize] - potentials[b as usize]);
            for &(a, b) in &joins {
                let news = set[a as usize] != set[b as usize];
                prop_assert_eq!(merged.join(a, b, value(a, b)), Ok(news));
                let (from, to) = (set[a as usize], set[b as usize]);
                set.iter_mut().filter(|s| **s == from).for_each(|s| *s = to);
            }
            for a in 0..30u32 {
                for b in 0..30u32 {
                    let ((x, above_a), (y, above_b)) = (merged.find(a), merged.find(b));
                    prop_assert_eq!(x == y, set[a as usize] == set[b as usize]);
                    if x == y {
                        prop_assert_eq!(above_a - above_b, value(a, b));
                        prop_assert_eq!(merged.join(a, b, value(a, b) + 1.0), Err(value(a, b)));
                    }
                }
            }
        }
    }
}
