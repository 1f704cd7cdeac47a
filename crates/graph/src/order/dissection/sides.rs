//! Two sides and the separator between them.

use super::net::Net;

/// The separator, as a side.
pub(super) const BETWEEN: u8 = 2;

/// No edge joins the sides 0 and 1.
#[derive(Debug, Clone)]
pub(super) struct Sides {
    /// By vertex: 0, 1 or [`BETWEEN`].
    pub(super) of: Vec<u8>,
    /// The weights of the sides and of the separator.
    pub(super) weights: [u64; 3],
    /// The vertices of the separator.
    pub(super) separator: Vec<u32>,
}

impl Sides {
    pub(super) fn new(net: &Net, of: Vec<u8>) -> Sides {
        let mut sides = Sides { of, weights: [0; 3], separator: Vec::new() };
        sides.count(net);
        sides
    }

    fn count(&mut self, net: &Net) {
        self.weights = [0; 3];
        self.separator.clear();
        for (v, (&side, &weight)) in self.of.iter().zip(&net.weights).enumerate() {
            self.weights[side as usize] += u64::from(weight);
            if side == BETWEEN {
                self.separator.push(v as u32);
            }
        }
    }

    /// The same sides on the finer net that was contracted.
    pub(super) fn finer(&self, net: &Net, map: &[u32]) -> Sides {
        Sides::new(net, map.iter().map(|&c| self.of[c as usize]).collect())
    }

    /// What is minded, first what a side is too heavy by. A separator may be heavier for sides that are
    /// nearer to each other: of size `s` it costs about `s³` itself, and uneven sides cost more below.
    pub(super) fn score(&self, limit: u64) -> (u64, u64) {
        Sides::score_of(self.weights, limit)
    }

    /// As [`score`](Self::score), from weights.
    pub(super) fn score_of([a, b, between]: [u64; 3], limit: u64) -> (u64, u64) {
        let over = a.max(b).saturating_sub(limit);
        let total = (a + b + between).max(1);
        let apart = u128::from(a.abs_diff(b));
        let scaled = u128::from(between) << 20;
        let uneven = scaled / 4 * apart / u128::from(total) * apart / u128::from(total);
        // A side without vertices separates nothing.
        let empty = if a == 0 || b == 0 { total } else { 0 };
        (over + empty, (scaled + uneven) as u64)
    }
}
