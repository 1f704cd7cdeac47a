//! Whole numbers counted in classes between powers of two: 0, 1, 2, 3–4, 5–8, and so on;
//! and the table that shows each class's share of the count and of the sum.

use super::some;
use crate::number::{percent, superscript, thousands};
use crate::svg::{Anchor, Svg};

const COUNT: usize = 66;
/// Height of a row, and widths of the table's columns.
const ROW: f64 = 20.0;
const LABEL: f64 = 104.0;
const COLUMN: f64 = 160.0;
const BAR: f64 = 92.0;

/// The width of the table.
pub(crate) const WIDTH: f64 = LABEL + 10.0 + 2.0 * COLUMN;

/// The class of a number: 0 for 0, and then one more each time a power of two is passed.
pub(crate) fn class_of(value: u64) -> usize {
    match value {
        0 => 0,
        _ => 1 + (u64::BITS - (value - 1).leading_zeros()) as usize,
    }
}

/// The numbers of a class, in words.
pub(crate) fn class_text(class: usize) -> String {
    match class {
        0..=2 => class.to_string(),
        3..=18 => {
            let low = 1u64 << (class - 2);
            format!("{}–{}", thousands(low + 1), thousands(2 * low))
        }
        _ => {
            let power = |p: usize| format!("2{}", superscript(&p.to_string()));
            format!("{}+1–{}", power(class - 2), power(class - 1))
        }
    }
}

/// How many numbers lie in each class, and their sums. Sums end at the largest `u64`.
#[derive(Debug, Clone)]
pub(crate) struct Classes {
    counts: [u64; COUNT],
    sums: [u64; COUNT],
    pub(crate) largest: u64,
}

impl Classes {
    pub(crate) fn new() -> Self {
        Classes { counts: [0; COUNT], sums: [0; COUNT], largest: 0 }
    }

    #[inline]
    pub(crate) fn add(&mut self, value: u64) {
        let class = class_of(value);
        self.counts[class] += 1;
        self.sums[class] = self.sums[class].saturating_add(value);
        self.largest = self.largest.max(value);
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().sum()
    }

    pub(crate) fn sum(&self) -> u64 {
        self.sums.iter().fold(0, |a, &b| a.saturating_add(b))
    }

    /// The mean, 0 if there is nothing.
    pub(crate) fn mean(&self) -> f64 {
        self.sum() as f64 / self.count().max(1) as f64
    }

    /// The classes from the first to the last that has a number.
    pub(crate) fn used(&self) -> std::ops::Range<usize> {
        let first = self.counts.iter().position(|&c| c > 0).unwrap_or(0);
        let end = self.counts.iter().rposition(|&c| c > 0).map_or(0, |last| last + 1);
        first..end
    }

    /// The last classes that have at most `most` numbers in all: a bound below them, and how
    /// many numbers are above it.
    pub(crate) fn highest(&self, most: u64) -> Option<(u64, u64)> {
        let (mut count, mut class) = (0, self.used().end);
        while class > self.used().start && count + self.counts[class - 1] <= most {
            class -= 1;
            count += self.counts[class];
        }
        (count > 0 && class > 1).then(|| (1 << (class - 2), count))
    }

    /// The table's height.
    pub(crate) fn height(&self) -> f64 {
        if self.count() == 0 { 36.0 } else { 46.0 + ROW * (self.used().len() + 1) as f64 }
    }

    /// The table: heads name the numbers, what was counted and what was summed; `class`
    /// gives the bars' class of style.
    pub(crate) fn draw(
        &self,
        svg: &mut Svg,
        (left, top): (f64, f64),
        title: &str,
        [of, counted, summed]: [&str; 3],
        class: &dyn Fn(usize) -> String,
    ) {
        let (count, sum) = (self.count(), self.sum());
        let label = left + LABEL;
        let columns = [label + 10.0, label + 10.0 + COLUMN];
        svg.text((left, top + 10.0), Anchor::Start, "panel", title, "");
        if count == 0 {
            svg.text((left, top + 30.0), Anchor::Start, "note", "none", "");
            return;
        }
        svg.text((label, top + 32.0), Anchor::End, "note", of, "");
        for (x, head) in columns.into_iter().zip([counted, summed]) {
            svg.text((x, top + 32.0), Anchor::Start, "note", &format!("share of {head}"), "");
        }
        let most = self.used().map(|c| share(self.counts[c], count).max(share(self.sums[c], sum)));
        let most = most.fold(f64::MIN_POSITIVE, f64::max);
        let mut y = top + 40.0;
        for c in self.used() {
            let words = class_text(c);
            svg.text((label, y + 13.5), Anchor::End, "tick", &words, "");
            let parts = [(self.counts[c], count, counted), (self.sums[c], sum, summed)];
            for (x, (part, whole, head)) in columns.into_iter().zip(parts) {
                let long = BAR * share(part, whole) / most;
                let hint = format!("{of} {words}: {head} {}", thousands(part));
                svg.rect((x, y + 3.0), (long, ROW - 6.0), &class(c), &hint);
                let at = (x + long + 5.0, y + 13.5);
                svg.text(at, Anchor::Start, "tick", &format!("{} %", percent(part, whole)), "");
            }
            y += ROW;
        }
        svg.line((left, y + 2.0), (left + WIDTH, y + 2.0), "grid");
        svg.text((label, y + 17.0), Anchor::End, "", "all", "");
        for (x, total) in columns.into_iter().zip([count, sum]) {
            svg.text((x, y + 17.0), Anchor::Start, "", &thousands(total), "");
        }
    }

    /// The classes and their shares, for those who cannot see the table.
    pub(crate) fn describe(&self, [of, counted, summed]: [&str; 3]) -> String {
        let (count, sum) = (self.count(), self.sum());
        let parts: Vec<String> = self
            .used()
            .map(|c| {
                let shares = (percent(self.counts[c], count), percent(self.sums[c], sum));
                format!(
                    "{of} {}: {} % of {counted}, {} % of {summed}",
                    class_text(c),
                    shares.0,
                    shares.1
                )
            })
            .collect();
        if parts.is_empty() { some(0, counted, counted) } else { parts.join("; ") }
    }
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_end_at_powers_of_two() {
        let found = [0, 1, 2, 3, 4, 5, 8, 9, 1 << 20, u64::MAX].map(class_of);
        assert_eq!(found, [0, 1, 2, 3, 3, 4, 4, 5, 21, 65]);
        let words = [0, 1, 2, 3, 4, 8, 18, 19].map(class_text);
        assert_eq!(words, ["0", "1", "2", "3–4", "5–8", "65–128", "65,537–131,072", "2¹⁷+1–2¹⁸"]);
    }

    #[test]
    fn shares_are_true() {
        let mut classes = Classes::new();
        assert!(classes.used().is_empty());
        [1, 1, 1, 3, 4, 10].into_iter().for_each(|v| classes.add(v));
        assert_eq!((classes.count(), classes.sum(), classes.largest), (6, 20, 10));
        assert_eq!(classes.used(), 1..6);
        let words = classes.describe(["length", "edges", "energy"]);
        assert!(words.starts_with("length 1: 50.0 % of edges, 15.0 % of energy; length 2: 0.0 %"));
        assert!(words.ends_with("length 9–16: 16.7 % of edges, 50.0 % of energy"));
        let highest = [0, 1, 2, 3, 6].map(|most| classes.highest(most));
        assert_eq!(highest, [None, Some((4, 1)), Some((4, 1)), Some((1, 3)), None]);
        classes.add(u64::MAX);
        classes.add(u64::MAX);
        assert_eq!(classes.sum(), u64::MAX);
    }
}
