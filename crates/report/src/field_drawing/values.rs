//! The value of each node, and its place in the range from 0 to 1.

use super::Shape;
use palmette_core::NONE;

/// A number per node.
pub(super) struct Values {
    /// NaN for nodes that no element has.
    of: Vec<f64>,
    /// The nodes with the least and the greatest number that is finite.
    pub(super) ends: Option<(u32, u32)>,
    /// How many nodes that an element has have a number that is not finite.
    pub(super) odd: usize,
}

impl Values {
    /// The values, or the lengths of vectors. Nodes that no shape has do not count.
    pub(super) fn new(values: &[f64], components: usize, shapes: &[Shape]) -> Values {
        let length = |vector: &[f64]| match vector {
            [value] => *value,
            _ => vector.iter().fold(0.0, |length: f64, &x| length.hypot(x)),
        };
        let mut used = vec![false; values.len() / components];
        shapes.iter().flatten().filter(|&&c| c != NONE).for_each(|&c| used[c as usize] = true);
        let of = values.chunks_exact(components).zip(&used);
        let of: Vec<f64> = of.map(|(v, &used)| if used { length(v) } else { f64::NAN }).collect();
        let odd = of.iter().zip(&used).filter(|(value, used)| **used && !value.is_finite()).count();
        let mut values = Values { of, ends: None, odd };
        let mut ends: Option<(u32, u32)> = None;
        // Of several the first node, at both ends.
        for node in values.finite() {
            let (low, high) = ends.unwrap_or((node, node));
            let [value, least, most] = [node, low, high].map(|node| values.at(node));
            let high = if value > most { node } else { high };
            ends = Some((if value < least { node } else { low }, high));
        }
        values.ends = ends;
        values
    }

    /// The nodes whose number is finite.
    fn finite(&self) -> impl Iterator<Item = u32> + '_ {
        (0..).zip(&self.of).filter(|(_, value)| value.is_finite()).map(|(node, _)| node)
    }

    pub(super) fn at(&self, node: u32) -> f64 {
        self.of[node as usize]
    }

    /// The least and the greatest; 0 and 0 when there is none.
    pub(super) fn range(&self) -> (f64, f64) {
        self.ends.map_or((0.0, 0.0), |(low, high)| (self.at(low), self.at(high)))
    }

    /// The nodes with the greatest and the least value, unless all are the same; and whether
    /// it is the greatest.
    pub(super) fn peaks(&self) -> impl Iterator<Item = (u32, bool)> {
        let ends = self.ends.filter(|_| !self.is_constant());
        ends.into_iter().flat_map(|(low, high)| [(high, true), (low, false)])
    }

    /// Whether all are the same.
    pub(super) fn is_constant(&self) -> bool {
        self.range().0 == self.range().1
    }

    /// From 0 for the least to 1 for the greatest; NaN for what is not finite.
    pub(super) fn share(&self, value: f64) -> f64 {
        let (low, high) = self.range();
        let share = match high - low {
            _ if !value.is_finite() => f64::NAN,
            0.0 => 0.5,
            wide if wide.is_finite() => (value - low) / wide,
            _ => (value / 2.0 - low / 2.0) / (high / 2.0 - low / 2.0),
        };
        share.clamp(0.0, 1.0)
    }

    /// By node, its share.
    pub(super) fn shares(&self) -> Vec<f64> {
        self.of.iter().map(|&value| self.share(value)).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TWO: [Shape; 2] = [[0, 1, 2, NONE], [1, 2, 3, NONE]];

    #[test]
    fn shares_of_any_range() {
        // Node 4 belongs to no shape.
        let values = Values::new(&[-2.0, 0.0, 2.0, -2.0, 100.0], 1, &TWO);
        assert_eq!((values.ends, values.range()), (Some((0, 2)), (-2.0, 2.0)));
        assert_eq!([-2.0, 1.0, 2.0, 100.0].map(|v| values.share(v)), [0.0, 0.75, 1.0, 1.0]);
        for end in [f64::MAX, 5e-324, 1e-300] {
            let values = Values::new(&[-end, 0.0, end, 0.0], 1, &TWO);
            assert_eq!([-end, 0.0, end].map(|v| values.share(v)), [0.0, 0.5, 1.0]);
        }
        let odd = Values::new(&[f64::NAN, 1.0, 1.0, f64::INFINITY], 1, &TWO);
        assert_eq!((odd.odd, odd.is_constant(), odd.share(1.0)), (2, true, 0.5));
        assert!(odd.shares()[0].is_nan() && odd.shares()[3].is_nan());
        assert_eq!(Values::new(&[f64::NAN; 4], 1, &TWO).ends, None);
    }

    #[test]
    fn vectors_have_lengths() {
        let values = Values::new(&[3.0, -4.0, 0.0, 1e200, 0.0, 0.0, 5.0, 12.0], 2, &TWO);
        assert_eq!([0, 1, 2, 3].map(|node| values.at(node)), [5.0, 1e200, 0.0, 13.0]);
        let space = Values::new(&[1.0, 2.0, 2.0].repeat(4), 3, &TWO);
        assert!((space.at(3) - 3.0).abs() < 1e-15);
    }
}
