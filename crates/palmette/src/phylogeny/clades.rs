//! The clades of two trees, side by side.

use super::TreeSet;
use palmette_core::NONE;
use palmette_io::{Cells, Labels, ValueSlice};
use palmette_phylo::compare::{Pair, Splits};

/// A row for each inner split of either tree: first those of the first tree in its preorder, then those that only
/// the second has.
#[derive(Debug)]
pub struct CladeTable {
    /// The label of the vertex, where it has one.
    pub clades: Labels,
    /// Two tips whose lowest common ancestor the vertex is.
    pub first_tips: Labels,
    /// The other of them.
    pub last_tips: Labels,
    /// Tips below it.
    pub tips: Vec<u64>,
    /// Whether the first and the second tree have the split: 1 or 0.
    pub present: [Vec<u64>; 2],
    /// Its length there; NaN where there is none.
    pub lengths: [Vec<f64>; 2],
    /// Its support there; NaN where there is none.
    pub support: [Vec<f64>; 2],
}

impl CladeTable {
    /// The clades of the first two trees.
    pub fn new(set: &TreeSet<'_>, pair: &Pair) -> CladeTable {
        let mut other = vec![NONE; pair.first.len()];
        for (second, &first) in (0..).zip(&pair.same) {
            if let Some(place) = other.get_mut(first as usize) {
                *place = second;
            }
        }
        let inner = |splits: &Splits| -> Vec<u32> {
            (0..splits.len() as u32).filter(|&split| splits.is_inner(split)).collect()
        };
        let both = inner(&pair.first).into_iter().map(|a| (a, other[a as usize]));
        let alone = inner(&pair.second).into_iter().filter(|&b| pair.same[b as usize] == NONE);
        let rows: Vec<(u32, u32)> = both.chain(alone.map(|b| (NONE, b))).collect();
        let sides = [&pair.first, &pair.second];
        // The tree that shows a row, and the position from its root.
        let shown = |&(a, b): &(u32, u32)| match a {
            NONE => (1, pair.second.first[b as usize]),
            a => (0, pair.first.first[a as usize]),
        };
        // Of both trees, the tips in preorder, and by position how many of them come before it.
        let in_order = [0, 1].map(|tree| {
            let (given, root) = set.origin(tree);
            let numbers = &set.numbers(tree)[root as usize..given.tree.end(root) as usize];
            let (mut tips, mut before) = (Vec::new(), Vec::with_capacity(numbers.len()));
            for &tip in numbers {
                before.push(tips.len());
                tips.extend((tip != NONE).then_some(tip));
            }
            (tips, before)
        });
        let ends = |row: &(u32, u32)| {
            let (tree, position) = shown(row);
            let (tips, before) = &in_order[tree];
            let first = before[position as usize];
            let count = sides[tree].tips[position as usize] as usize;
            (tips[first], tips[first + count.max(1) - 1])
        };
        let names: Vec<(u32, u32)> = rows.iter().map(ends).collect();
        let label = |row: &(u32, u32)| {
            let (tree, position) = shown(row);
            let (given, root) = set.origin(tree);
            given.labels.label(given.tree.vertices()[(root + position) as usize]).into_owned()
        };
        let side = |k: usize, row: &(u32, u32)| if k == 0 { row.0 } else { row.1 };
        let of = |k: usize, value: &dyn Fn(u32) -> Option<f64>| -> Vec<f64> {
            let found = rows.iter().map(|row| match side(k, row) {
                NONE => None,
                split => value(split),
            });
            found.map(|x| x.unwrap_or(f64::NAN)).collect()
        };
        let support = |k: usize, split: u32| {
            let (given, root) = set.origin(k);
            let position = root + sides[k].first[split as usize];
            let vertex = given.tree.vertices()[position as usize];
            given.support.map(|support| support[vertex as usize])
        };
        let length =
            |k: usize, split: u32| sides[k].lengths.as_ref().map(|lengths| lengths[split as usize]);
        let tip_name = |tip: u32| set.tips.label(tip).into_owned();
        CladeTable {
            clades: Labels::texts(rows.iter().map(label)),
            first_tips: Labels::texts(names.iter().map(|name| tip_name(name.0))),
            last_tips: Labels::texts(names.iter().map(|name| tip_name(name.1))),
            tips: rows
                .iter()
                .map(|row| {
                    let (tree, position) = shown(row);
                    u64::from(sides[tree].tips[position as usize])
                })
                .collect(),
            present: [0, 1]
                .map(|k| rows.iter().map(|row| u64::from(side(k, row) != NONE)).collect()),
            lengths: [0, 1].map(|k| of(k, &|split| length(k, split))),
            support: [0, 1].map(|k| of(k, &|split| support(k, split))),
        }
    }

    /// The columns of the table, for a writer; those of lengths and supports only where there are any.
    pub fn with_columns<R>(&self, write: impl FnOnce(&[(&str, Cells<'_>)]) -> R) -> R {
        let floats = [&self.lengths, &self.support].map(|pair| pair.each_ref().map(|x| &x[..]));
        let known =
            floats.map(|pair| pair.map(|x| x.iter().map(|x| !x.is_nan()).collect::<Vec<bool>>()));
        let cells = floats.map(|pair| pair.map(|x| Cells::Numbers(ValueSlice::F64(x))));
        let mut columns = vec![
            ("clade", Cells::LabelsOf(&self.clades)),
            ("first_tip", Cells::LabelsOf(&self.first_tips)),
            ("last_tip", Cells::LabelsOf(&self.last_tips)),
            ("tips", Cells::Numbers(ValueSlice::U64(&self.tips))),
            ("in_first", Cells::Numbers(ValueSlice::U64(&self.present[0]))),
            ("in_second", Cells::Numbers(ValueSlice::U64(&self.present[1]))),
        ];
        let names = [["length_first", "length_second"], ["support_first", "support_second"]];
        for (names, (known, cells)) in names.iter().zip(known.iter().zip(&cells)) {
            if known.iter().flatten().any(|&known| known) {
                for k in 0..2 {
                    columns.push((names[k], Cells::Where(&known[k], &cells[k])));
                }
            }
        }
        write(&columns)
    }
}
