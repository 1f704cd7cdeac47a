//! Vertices cut in two by keys.
//!
//! **Problem.** A key and a weight for each vertex, and the weight that the first side shall
//! have; out comes the side of each vertex. Equal keys go by number.
//!
//! **Method.** Where all weights are equal, the key at the border is selected, not sorted for:
//! a sample says between which two keys it lies, and one pass collects those.
//!
//! **Cost.** Linear for equal weights, otherwise sorting. A bit per vertex is kept.

/// A key that orders as `total_cmp` does.
#[inline]
pub(super) fn float_rank(x: f64) -> i64 {
    let bits = x.to_bits() as i64;
    bits ^ ((bits >> 63) as u64 >> 1) as i64
}

/// A key that orders as numbers without a sign do.
#[inline]
pub(super) fn whole_rank(x: u64) -> i64 {
    (x ^ 1 << 63) as i64
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Sides {
    /// By vertex a bit: whether it is on the second side.
    second: Vec<u64>,
    len: usize,
    /// The vertex of the second side with the smallest key, if weights are even.
    pub(super) middle: Option<u32>,
}

impl Sides {
    fn all_second(len: usize) -> Sides {
        Sides { second: vec![!0; len.div_ceil(64)], len, middle: None }
    }

    #[inline]
    pub(super) fn is_second(&self, v: u32) -> bool {
        self.second[v as usize / 64] >> (v % 64) & 1 == 1
    }

    #[inline]
    pub(super) fn move_to_first(&mut self, v: u32) {
        self.second[v as usize / 64] &= !(1 << (v % 64));
    }

    /// By vertex: 0 or 1.
    pub(super) fn numbers(&self) -> Vec<u32> {
        (0..self.len as u32).map(|v| u32::from(self.is_second(v))).collect()
    }
}

/// What sides shall weigh.
pub(super) struct Split<'a> {
    weights: &'a [i64],
    /// Whether all weigh the same, and something.
    even: bool,
    first_weight: i64,
    least: [u32; 2],
}

impl<'a> Split<'a> {
    /// The first side shall have this weight, as nearly as can be; each side gets at least so
    /// many vertices.
    pub(super) fn new(weights: &'a [i64], first_weight: i64, least: [u32; 2]) -> Split<'a> {
        let even = weights[0] > 0 && weights.iter().all(|&w| w == weights[0]);
        Split { weights, even, first_weight, least }
    }

    /// On the first side are the vertices of smallest keys.
    pub(super) fn sides(&self, keys: &[i64]) -> Sides {
        let n = keys.len();
        let (weights, first_weight) = (self.weights, self.first_weight);
        let [first, second] = self.least.map(|count| count as usize);
        let bounded = |count: usize| count.min(n - second).max(first);
        let mut sides = Sides::all_second(n);
        if self.even {
            let count = (2 * first_weight + weights[0]) / (2 * weights[0]);
            halve(keys, bounded(count as usize), &mut sides);
            return sides;
        }
        let mut order: Vec<u32> = (0..n as u32).collect();
        order.sort_unstable_by_key(|&v| (keys[v as usize], v));
        let mut sum = 0;
        let fits = |&v: &u32| {
            let weight = weights[v as usize];
            sum += weight;
            2 * sum - weight <= 2 * first_weight
        };
        let count = bounded(order.iter().copied().take_while(fits).count());
        order[..count].iter().for_each(|&v| sides.move_to_first(v));
        sides
    }
}

/// Moves so many vertices of smallest keys to the first side, and notes the next.
fn halve(keys: &[i64], count: usize, sides: &mut Sides) {
    let Some(place) = count.checked_sub(1) else {
        sides.middle = (0..keys.len() as u32).min_by_key(|&v| keys[v as usize]);
        return;
    };
    let (border, smaller) = select(keys, place);
    // Of the vertices at the border, the first by number.
    let mut left = count - smaller;
    let mut next: Option<u32> = None;
    for (v, &key) in (0..).zip(keys) {
        if key < border || (key == border && left > 0) {
            left -= usize::from(key == border);
            sides.move_to_first(v);
        } else if next.is_none_or(|next| key < keys[next as usize]) {
            next = Some(v);
        }
    }
    sides.middle = next;
}

/// From so many keys on, a sample is looked at first.
const LARGE: usize = 1 << 14;
/// The size of the sample, and how far from its place in the sample a key is looked for: eight
/// times the deviation of a random sample. Other keys are found too, only later.
const SAMPLE: usize = 1 << 12;
const SLACK: usize = 256;

/// The key at a place of the sorted order, and how many keys are smaller.
fn select(keys: &[i64], place: usize) -> (i64, usize) {
    if keys.len() >= LARGE {
        let mut sample: Vec<i64> = keys.iter().step_by(keys.len() / SAMPLE).copied().collect();
        sample.sort_unstable();
        let at = (place as u64 * sample.len() as u64 / keys.len() as u64) as usize;
        let low = at.checked_sub(SLACK).map_or(i64::MIN, |low| sample[low]);
        let high = sample.get(at + SLACK).copied().unwrap_or(i64::MAX);
        let mut below = 0;
        let mut inside = Vec::with_capacity(keys.len() / 4);
        for &key in keys {
            if key < low {
                below += 1;
            } else if key <= high {
                inside.push(key);
            }
        }
        if (below..below + inside.len()).contains(&place) {
            let (key, smaller) = select_all(inside, place - below);
            return (key, below + smaller);
        }
    }
    select_all(keys.to_vec(), place)
}

fn select_all(mut keys: Vec<i64>, place: usize) -> (i64, usize) {
    let (before, &mut key, _) = keys.select_nth_unstable(place);
    (key, before.iter().filter(|&&other| other < key).count())
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::{Purpose, Random};

    fn sides(keys: &[f64], weights: &[i64], first_weight: i64, least: [u32; 2]) -> Vec<u32> {
        let keys: Vec<i64> = keys.iter().map(|&key| float_rank(key)).collect();
        Split::new(weights, first_weight, least).sides(&keys).numbers()
    }

    #[test]
    fn both_sides_get_vertices_and_the_weight_asked_for() {
        let keys = [5.0, 1.0, 4.0, 2.0, 3.0];
        assert_eq!(sides(&keys, &[1; 5], 2, [1; 2]), [1, 0, 1, 0, 1]);
        assert_eq!(sides(&keys, &[1, 4, 1, 1, 1], 4, [1; 2]), [1, 0, 1, 1, 1]);
        assert_eq!(sides(&keys, &[1, 9, 1, 1, 1], 1, [1; 2]), [1, 0, 1, 1, 1]);
        assert_eq!(sides(&keys, &[9, 1, 1, 1, 1], 99, [1; 2]), [1, 0, 0, 0, 0]);
        assert_eq!(sides(&[0.0; 4], &[1; 4], 2, [1; 2]), [0, 0, 1, 1]);
        assert_eq!(sides(&[0.0; 2], &[0; 2], 0, [1; 2]), [0, 1]);
        assert_eq!(sides(&[0.0; 3], &[1, 9, 9], 1, [1, 2]), [0, 1, 1]);
        assert_eq!(sides(&[0.0; 3], &[1, 9, 9], 1, [2, 1]), [0, 0, 1]);
    }

    #[test]
    fn ranks_order_as_numbers_do() {
        let floats = [f64::NEG_INFINITY, -2.5, -1e-300, -0.0, 0.0, 1e-300, 7.0, f64::INFINITY];
        assert!(floats.windows(2).all(|w| float_rank(w[0]) < float_rank(w[1])));
        let wholes = [0, 1, 1 << 62, 1 << 63, u64::MAX];
        assert!(wholes.windows(2).all(|w| whole_rank(w[0]) < whole_rank(w[1])));
    }

    /// As sorting by key and number does it: many equal keys, samples that mislead, any share.
    #[test]
    fn selecting_is_sorting() {
        let mut random = Random::new(5, Purpose::Samples);
        for n in [1usize, 2, 63, 64, 65, 1000, LARGE, 3 * LARGE + 17] {
            for distinct in [1u32, 2, 10, 1 << 30] {
                let mut keys: Vec<i64> =
                    (0..n).map(|_| i64::from(random.below(distinct)) - 4).collect();
                if distinct == 10 {
                    // The sample sees the smallest keys only.
                    let step = (n / SAMPLE).max(1);
                    keys.iter_mut().step_by(step).for_each(|key| *key = -9);
                }
                let mut order: Vec<u32> = (0..n as u32).collect();
                order.sort_by_key(|&v| (keys[v as usize], v));
                for count in [0, 1, n / 3, n / 2, n.saturating_sub(1), n] {
                    let weights = vec![1; n];
                    let found = Split::new(&weights, count as i64, [0; 2]).sides(&keys);
                    let mut expected = vec![1; n];
                    order[..count].iter().for_each(|&v| expected[v as usize] = 0);
                    assert_eq!(found.numbers(), expected, "{n} {distinct} {count}");
                    assert_eq!(found.middle, order.get(count).copied(), "{n} {distinct} {count}");
                }
            }
        }
    }
}
