//! Files for other viewers: annotations of iTOL, trees of Taxonium.
//!
//! **Problem.** A column by vertex as a dataset of iTOL: a strip of colours for classes, bars for
//! numbers. A tree with its coordinates as lines of JSON for Taxonium.
//!
//! **Method.** iTOL knows an inner vertex by two tips whose last common ancestor it is, `A|B`: the first and
//! the last of its tips. Names there have no tabs and no line breaks, which become blanks. Taxonium
//! wants vertices in the order of their rows, which a counting sort over half rows gives, and distances
//! such that 95 of 100 are below 600.
//!
//! **Cost.** Linear.
//!
//! **Reference.** Letunic and Bork, *Interactive Tree of Life (iTOL) v6*, 2024, its templates
//! DATASET_COLORSTRIP and DATASET_SIMPLEBAR; Sanderson, *Taxonium*, eLife, 2022, and its tools.

use super::colours::{ColourColumn, ColourKind};
use super::drawn::DrawnTree;
use palmette_core::{NONE, Tree};
use serde_json::json;
use std::io::{self, Write};

/// Okabe and Ito's colours, and grey for what comes after.
const COLOURS: [&str; 7] =
    ["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000"];
const OTHER: &str = "#7d8590";

/// Writes a column as a dataset of iTOL: of tips, and of inner vertices that have a value of their own.
///
/// # Errors
/// Those of the output.
pub fn write_itol(
    out: &mut dyn Write,
    of: &DrawnTree<'_>,
    column: &ColourColumn,
) -> io::Result<()> {
    let name = plain(&column.name);
    let positions = || (0..of.tree.len() as u32).filter(|&p| of.tree.is_leaf(p) || !column.filled);
    let ids = Ids::new(of);
    match &column.kind {
        ColourKind::Numbers(values) => {
            writeln!(out, "DATASET_SIMPLEBAR\nSEPARATOR TAB\nDATASET_LABEL\t{name}")?;
            writeln!(out, "COLOR\t{}\nDATA", COLOURS[0])?;
            for p in positions().filter(|&p| values[p as usize].is_finite()) {
                ids.write(out, p)?;
                writeln!(out, "\t{}", values[p as usize])?;
            }
        }
        ColourKind::Classes(classes, names) => {
            let colour = |class: usize| COLOURS.get(class).copied().unwrap_or(OTHER);
            writeln!(out, "DATASET_COLORSTRIP\nSEPARATOR TAB\nDATASET_LABEL\t{name}")?;
            writeln!(out, "COLOR\t{}\nCOLOR_BRANCHES\t0\nLEGEND_TITLE\t{name}", COLOURS[0])?;
            let shown = names.len().min(COLOURS.len() + 1);
            let legend = |what: &dyn Fn(usize) -> String| {
                (0..shown).map(|k| format!("\t{}", what(k))).collect::<String>()
            };
            let label =
                |k: usize| if k < COLOURS.len() { plain(&names[k]) } else { "other".into() };
            writeln!(out, "LEGEND_SHAPES{}", legend(&|_| "1".to_string()))?;
            writeln!(out, "LEGEND_COLORS{}", legend(&|k| colour(k).to_string()))?;
            writeln!(out, "LEGEND_LABELS{}\nDATA", legend(&label))?;
            for p in positions().filter(|&p| classes[p as usize] != NONE) {
                let class = classes[p as usize] as usize;
                ids.write(out, p)?;
                writeln!(out, "\t{}\t{}", colour(class), plain(&names[class]))?;
            }
        }
    }
    Ok(())
}

/// How iTOL calls vertices.
struct Ids<'a> {
    of: &'a DrawnTree<'a>,
    /// The tips in order, and by position the tips before it.
    tips: Vec<u32>,
    before: Vec<u32>,
}

impl<'a> Ids<'a> {
    fn new(of: &'a DrawnTree<'a>) -> Ids<'a> {
        let (mut tips, mut before) = (Vec::new(), Vec::with_capacity(of.tree.len() + 1));
        for p in 0..of.tree.len() as u32 {
            before.push(tips.len() as u32);
            if of.tree.is_leaf(p) {
                tips.push(p);
            }
        }
        before.push(tips.len() as u32);
        Ids { of, tips, before }
    }

    fn write(&self, out: &mut dyn Write, position: u32) -> io::Result<()> {
        let name = |p: u32| plain(&self.of.name_of(p));
        if self.of.tree.is_leaf(position) {
            return write!(out, "{}", name(position));
        }
        let first = self.tips[self.before[position as usize] as usize];
        let last = self.tips[self.before[self.of.tree.end(position) as usize] as usize - 1];
        write!(out, "{}|{}", name(first), name(last))
    }
}

/// A text without the separators of iTOL.
fn plain(text: &str) -> String {
    text.replace(|c: char| c.is_control(), " ")
}

/// Writes a tree for Taxonium: a line of facts, then a line per vertex in the order of rows.
///
/// # Errors
/// Those of the output.
pub fn write_taxonium(
    out: &mut dyn Write,
    of: &DrawnTree<'_>,
    column: Option<&ColourColumn>,
) -> io::Result<()> {
    let tree = of.tree;
    let n = tree.len();
    let key = column.map(|column| {
        let word = |c: char| if c.is_alphanumeric() { c } else { '_' };
        format!("meta_{}", column.name.chars().map(word).collect::<String>())
    });
    let facts = json!({
        "version": "2.0.0",
        "mutations": [],
        "total_nodes": n,
        "config": { "num_tips": tree.leaves(), "title": of.title },
    });
    writeln!(out, "{facts}")?;
    let (x, y, tips) = (distances(of), half_rows(tree), tip_counts(tree));
    let order = by_row(&y);
    let mut place = vec![0u32; n];
    order.iter().enumerate().for_each(|(k, &p)| place[p as usize] = k as u32);
    for &p in &order {
        let i = p as usize;
        let parent = tree.parent(p).unwrap_or(p);
        let mut node = json!({
            "name": of.label(p),
            "x_dist": (x[i] * 1e5).round() / 1e5,
            "y": y[i] as f64 / 2.0,
            "mutations": [],
            "is_tip": tree.is_leaf(p),
            "parent_id": place[parent as usize],
            "node_id": place[i],
            "num_tips": tips[i],
        });
        if let (Some(key), Some(column)) = (&key, column) {
            node[key] = column.text(p).into();
        }
        writeln!(out, "{node}")?;
    }
    Ok(())
}

/// Distances from the root, so that 95 of 100 are at most 600.
fn distances(of: &DrawnTree<'_>) -> Vec<f64> {
    let mut x = vec![0.0f64; of.tree.len()];
    for p in 0..of.tree.len() as u32 {
        if let Some(parent) = of.tree.parent(p) {
            let length = of.lengths.map_or(1.0, |l| l[of.tree.vertices()[p as usize] as usize]);
            let length = if length.is_finite() { length } else { 0.0 };
            x[p as usize] = x[parent as usize] + length;
        }
    }
    let mut sorted = x.clone();
    let at = (sorted.len() * 95 / 100).min(sorted.len().saturating_sub(1));
    if sorted.is_empty() {
        return x;
    }
    let far = *sorted.select_nth_unstable_by(at, f64::total_cmp).1;
    if far > 0.0 {
        x.iter_mut().for_each(|x| *x *= 600.0 / far);
    }
    x
}

/// Twice the row of a vertex, rounded down: tips have rows, others lie between those of their first
/// and last child.
fn half_rows(tree: &Tree) -> Vec<u64> {
    let n = tree.len();
    let mut y = vec![0u64; n];
    let mut ends = vec![(u64::MAX, 0u64); n];
    let mut row = tree.leaves() as u64;
    for i in (0..n).rev() {
        y[i] = if tree.is_leaf(i as u32) {
            row -= 1;
            2 * row
        } else {
            (ends[i].0 + ends[i].1) / 2
        };
        if let Some(parent) = tree.parent(i as u32) {
            let above = &mut ends[parent as usize];
            *above = (above.0.min(y[i]), above.1.max(y[i]));
        }
    }
    y
}

fn tip_counts(tree: &Tree) -> Vec<u32> {
    let mut tips = vec![0u32; tree.len()];
    for i in (0..tree.len()).rev() {
        tips[i] += u32::from(tree.is_leaf(i as u32));
        if let Some(parent) = tree.parent(i as u32) {
            tips[parent as usize] += tips[i];
        }
    }
    tips
}

/// Positions by row, then by position.
fn by_row(y: &[u64]) -> Vec<u32> {
    let most = y.iter().copied().max().unwrap_or(0) as usize;
    let mut starts = vec![0u32; most + 2];
    y.iter().for_each(|&row| starts[row as usize + 1] += 1);
    for row in 1..starts.len() {
        starts[row] += starts[row - 1];
    }
    let mut order = vec![0u32; y.len()];
    for (p, &row) in y.iter().enumerate() {
        order[starts[row as usize] as usize] = p as u32;
        starts[row as usize] += 1;
    }
    order
}
