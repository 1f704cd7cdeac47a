//! The least of many numbers, of which whole stretches rise and fall.
//!
//! **Method.** A segment tree whose vertices keep what was added to all below; the least of a
//! stretch comes with its place, the first of several.
//!
//! **Cost.** O(log n) per stretch.

/// Added where nothing is to be found: above all sums of weights, which have 57 bits, and sums of a
/// few fit.
pub(super) const FAR: i64 = 1 << 60;

pub(super) struct Segments {
    size: usize,
    /// By segment, its least number and where that is, less what was added above.
    least: Vec<(i64, u32)>,
    added: Vec<i64>,
}

impl Segments {
    pub(super) fn new(values: &[i64]) -> Segments {
        let size = values.len().next_power_of_two();
        let mut least = vec![(i64::MAX / 2, 0); 2 * size];
        for (at, &value) in values.iter().enumerate() {
            least[size + at] = (value, at as u32);
        }
        for k in (1..size).rev() {
            least[k] = least[2 * k].min(least[2 * k + 1]);
        }
        Segments { size, least, added: vec![0; size] }
    }

    #[inline]
    fn lift(&mut self, k: usize, by: i64) {
        self.least[k].0 += by;
        if k < self.size {
            self.added[k] += by;
        }
    }

    fn settle(&mut self, mut k: usize) {
        while k > 1 {
            k /= 2;
            let (value, at) = self.least[2 * k].min(self.least[2 * k + 1]);
            self.least[k] = (value + self.added[k], at);
        }
    }

    /// Adds to all of `begin..end`.
    pub(super) fn add(&mut self, begin: usize, end: usize, by: i64) {
        if begin >= end {
            return;
        }
        let (mut low, mut high) = (begin + self.size, end + self.size);
        while low < high {
            if low & 1 == 1 {
                self.lift(low, by);
                low += 1;
            }
            if high & 1 == 1 {
                high -= 1;
                self.lift(high, by);
            }
            (low, high) = (low / 2, high / 2);
        }
        self.settle(begin + self.size);
        self.settle(end - 1 + self.size);
    }

    /// The least of `begin..end`.
    pub(super) fn least(&self, begin: usize, end: usize) -> Option<(i64, u32)> {
        let (mut low, mut high) = (begin + self.size, end + self.size);
        let mut found: Option<(i64, u32)> = None;
        while low < high {
            if low & 1 == 1 {
                found = Some(self.with_added(low).min(found.unwrap_or((i64::MAX, 0))));
                low += 1;
            }
            if high & 1 == 1 {
                high -= 1;
                found = Some(self.with_added(high).min(found.unwrap_or((i64::MAX, 0))));
            }
            (low, high) = (low / 2, high / 2);
        }
        found
    }

    fn with_added(&self, k: usize) -> (i64, u32) {
        let (mut value, at) = self.least[k];
        let mut above = k / 2;
        while above > 0 {
            value += self.added[above];
            above /= 2;
        }
        (value, at)
    }

    /// The least of all.
    pub(super) fn top(&self) -> (i64, u32) {
        self.least[1]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use palmette_core::random::{Purpose, Random};

    #[test]
    fn as_a_plain_array() {
        let mut random = Random::new(3, Purpose::Samples);
        for n in [1, 2, 5, 16, 37] {
            let mut plain: Vec<i64> = (0..n).map(|_| i64::from(random.below(50))).collect();
            let mut segments = Segments::new(&plain);
            for _ in 0..200 {
                let ends = [random.below(n + 1) as usize, random.below(n + 1) as usize];
                let (begin, end) = (ends[0].min(ends[1]), ends[0].max(ends[1]));
                let by = i64::from(random.below(21)) - 10;
                segments.add(begin, end, by);
                plain[begin..end].iter_mut().for_each(|x| *x += by);
                let least = |a: usize, b: usize| (a..b).map(|k| (plain[k], k as u32)).min();
                assert_eq!(segments.least(begin, end), least(begin, end));
                assert_eq!(Some(segments.top()), least(0, n as usize));
            }
        }
    }
}
