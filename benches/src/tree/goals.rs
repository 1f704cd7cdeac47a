//! What the study of trees was to reach, beside what it measured and what no program can do without.
//!
//! Floors come from the same run: bytes that must be moved at the speed of a triad; on shuffled labels
//! two random accesses of 16 bytes per vertex, its own and its parent's; one of its parent's where parents
//! come first.

use crate::machine::Limits;
use crate::table::Table;

/// What was measured on one tree.
pub struct Figure {
    /// The tree, as in the tables.
    pub tree: String,
    /// Its vertices.
    pub n: usize,
    /// What was done.
    pub what: What,
    /// On how many threads.
    pub threads: usize,
    /// Our seconds.
    pub ours: f64,
    /// Those of the best plain loop, where there is one.
    pub plain: Option<f64>,
}

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// A pass over a tree that is there.
    Pass,
    /// A leaffix from bare parents.
    Raw,
    /// A tree from bare parents.
    Tree,
    /// An index for lowest common ancestors from bare parents.
    Index,
}

impl Figure {
    fn is_shuffled(&self) -> bool {
        self.tree.contains("shuffled")
    }

    fn is(&self, what: What, shape: &str, threads: usize) -> bool {
        let same = self.what == what && self.threads == threads;
        same && self.is_shuffled() && self.tree.starts_with(shape)
    }

    fn floor(&self, limits: &Limits) -> (f64, &'static str) {
        let n = self.n as f64;
        // Parents, values and answers; a tree has 16 bytes; an index as many again.
        let bytes = if self.what == What::Index { 36.0 } else { 20.0 };
        let streamed = bytes * n / limits.triad / 1e9;
        let gathered = 2.0 * limits.gather_wide * n / 1e9;
        // A star's root and a prepared tree are reached in order.
        let random =
            self.what != What::Pass && self.is_shuffled() && !self.tree.starts_with("star");
        // Parents that come first, but not in preorder.
        let once = limits.gather * n / 1e9;
        let first = self.what != What::Pass && self.tree.starts_with("random");
        match (random, first) {
            (true, _) => (streamed.max(gathered), "two random accesses of 16 bytes per vertex"),
            (_, true) => (streamed.max(once), "a random access of 4 bytes per vertex"),
            _ => (streamed, "bytes at the speed of a triad"),
        }
    }
}

/// The head of the table.
pub const HEAD: [&str; 8] =
    ["goal", "wanted", "measured", "holds", "where", "floor there", "of the floor", "the floor is"];

/// Milliseconds at 10^7 vertices, shuffled; smaller trees have their share.
const WITHIN: [(&str, What, &str, usize, f64); 8] = [
    ("one leaffix from parents", What::Raw, "random", 1, 220.0),
    ("one leaffix from parents", What::Raw, "path", 2, 220.0),
    ("a tree from parents", What::Tree, "random", 1, 300.0),
    ("a tree from parents", What::Tree, "random", 2, 300.0),
    ("a tree from parents", What::Tree, "path", 1, 300.0),
    ("a tree from parents", What::Tree, "path", 2, 300.0),
    ("an index for ancestors from parents", What::Index, "random", 2, 400.0),
    ("an index for ancestors from parents", What::Index, "path", 2, 400.0),
];

/// The goals and whether they hold; `limits` are those of one and two threads.
pub fn goals(figures: &[Figure], limits: &[Limits; 2]) -> Table {
    let mut table = Table::new(&HEAD);
    let largest = figures.iter().map(|figure| figure.n).max().unwrap_or(0);
    let mut add = |what: String, wanted: String, value: String, holds: bool, at: &Figure| {
        let (floor, why) = at.floor(&limits[at.threads - 1]);
        table.row(vec![
            what,
            wanted,
            value,
            if holds { "yes" } else { "no" }.to_string(),
            format!("{}, {} threads", at.tree, at.threads),
            format!("{:.1} ms", floor * 1e3),
            format!("{:.1}", at.ours / floor),
            why.to_string(),
        ]);
    };
    for (text, what, shape, threads, wanted) in WITHIN {
        let one = figures.iter().find(|f| f.n == largest && f.is(what, shape, threads));
        if let Some(one) = one {
            let (wanted, ms) = (wanted * one.n as f64 / 1e7, one.ours * 1e3);
            let text = format!("{text}, {shape}, shuffled");
            add(text, format!("≤ {wanted:.1} ms"), format!("{ms:.1} ms"), ms <= wanted, one);
        }
    }
    let ratio = |f: &&Figure| f.plain.map_or(0.0, |plain| f.ours / plain);
    let star = figures.iter().find(|f| f.n == largest && f.is(What::Raw, "star", 1));
    if let Some(star) = star {
        let found = ratio(&star);
        let text = "one leaffix from parents, star, shuffled: of the plain loop".to_string();
        add(text, "≤ 1.0".to_string(), format!("{found:.2}"), found <= 1.0, star);
    }
    for (text, what) in [("a pass", What::Pass), ("one leaffix from parents", What::Raw)] {
        let some: Vec<&Figure> = figures.iter().filter(|f| f.what == what).collect();
        let mut ratios: Vec<f64> = some.iter().map(ratio).collect();
        ratios.sort_by(f64::total_cmp);
        if let Some(worst) = some.iter().max_by(|a, b| ratio(a).total_cmp(&ratio(b))) {
            let (most, middle) = (ratio(worst), ratios[ratios.len() / 2]);
            let wanted = "worst ≤ 1.0, median ≤ 0.5".to_string();
            let holds = most <= 1.0 && middle <= 0.5;
            let found = format!("{most:.2}, {middle:.2}");
            add(format!("{text}: of the plain loop"), wanted, found, holds, worst);
        }
        let floor = |f: &&Figure| f.ours / f.floor(&limits[f.threads - 1]).0;
        let some = some.iter().filter(|f| f.n == largest);
        if let Some(worst) = some.max_by(|a, b| floor(a).total_cmp(&floor(b))) {
            let found = floor(worst);
            let text = format!("{text}: of the floor, {largest} vertices");
            add(text, "≤ 2".to_string(), format!("{found:.2}"), found <= 2.0, worst);
        }
    }
    table
}
