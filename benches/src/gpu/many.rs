//! Many columns and many trees on a device: together, and one after the other.
//!
//! What a card would take is estimated from bytes: those that cross the bus, and those that kernels
//! read and write on the card, over stated bandwidths. Nothing else is counted.

use crate::goals::Goals;
use crate::table::Table;
use crate::timing::{race, run};
use palmette_core::Tree;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_gpu::{Columns, Device, DeviceTree, Form, GpuError, Seconds};
use palmette_tree::leaffix::sequential;
use palmette_tree::{Direction, Scope};
use std::time::Instant;

/// Bytes per second over PCI Express 4.0 with 16 lanes, as transfers reach.
const BUS: f64 = 25e9;

/// Bytes per second of a card's memory: a common card of the middle range.
const CARD: f64 = 448e9;

/// Columns of the study.
const COUNTS: [usize; 3] = [1, 4, 16];

/// Trees that are measured one by one; the rest would take as long each.
const ONE_BY_ONE: usize = 500;

/// What a study found: two tables and goals.
pub struct Many {
    columns: Table,
    trees: Table,
    goals: Goals,
}

impl Many {
    /// As Markdown.
    pub fn markdown(&self) -> String {
        format!("{}\n{}\n{}", self.columns.markdown(), self.trees.markdown(), self.goals.markdown())
    }
}

/// Measures columns of a random tree, and a batch of random trees.
///
/// # Errors
/// What the device says.
///
/// # Panics
/// When answers differ from the host's.
pub fn measure(
    device: &Device,
    vertices: usize,
    (trees, each): (usize, usize),
    rounds: usize,
) -> Result<Many, GpuError> {
    let columns = Table::new(&[
        "engine",
        "columns",
        "together ms",
        "one by one ms",
        "times one column",
        "up, waiting, down ms",
        "apart: up, compute, down ms",
        "a card, estimated: bus, kernels, overlapped ms",
        "the host's sweeps, ms",
        "host / card, estimated",
    ]);
    let batches = Table::new(&["trees × vertices", "how", "ms", "µs per tree"]);
    let mut many = Many { columns, trees: batches, goals: Goals::default() };
    several_columns(device, vertices, rounds, &mut many)?;
    several_trees(device, trees, each, rounds, &mut many)?;
    Ok(many)
}

fn ms(seconds: f64) -> String {
    format!("{:.2}", 1e3 * seconds)
}

fn parts(seconds: &Seconds) -> String {
    let Seconds { upload, compute, download } = *seconds;
    [upload, compute, download].map(ms).join(", ")
}

/// Bytes per vertex that the scan's kernels move for a leaffix, with elements of so many bytes: the
/// tour twice; values read and the line written; the line read, then read and written, then read at
/// two places; answers written.
fn scan_bytes(element: usize) -> usize {
    2 * 8 + element * (1 + 2 + 2 + 4 + 2 + 1)
}

/// The bus and the kernels, one after the other, and the longer of the two with the first
/// group's way up and the last one's down.
fn estimate(n: usize, columns: usize) -> [f64; 3] {
    let groups = columns.div_ceil(4);
    let element = if columns == 1 { 4 } else { 16 };
    let bus = (n * 4 * columns * 2) as f64 / BUS;
    let kernels = (n * groups * scan_bytes(element)) as f64 / CARD;
    let ends = bus / groups as f64;
    let overlapped = if groups == 1 { bus + kernels } else { bus.max(kernels) + ends };
    [bus, kernels, overlapped]
}

fn host(tree: &Tree, x: &[i32]) -> Vec<i32> {
    let x = tree.to_positions(x).expect("a value per vertex");
    let mut sums = vec![0; x.len()];
    sequential(tree, &x, &Sum::<i32>::new(), Scope::Inclusive, &mut sums);
    tree.to_vertices(&sums).expect("a sum per vertex")
}

fn values(n: usize, seed: usize) -> Vec<i32> {
    (0..n).map(|k| ((k + seed) as i32).wrapping_mul(0x9E37_79B9_u32 as i32) >> 8).collect()
}

fn several_columns(
    device: &Device,
    n: usize,
    rounds: usize,
    many: &mut Many,
) -> Result<(), GpuError> {
    let parents = shuffle(&generate(Shape::Random, n, 1).expect("random trees of any size"), 1);
    let tree = Tree::from_parents(&parents).expect("a shape is a tree");
    let on = DeviceTree::new(device, &tree)?;
    on.prepare(Form::Tour)?;
    on.prepare(Form::Contraction)?;
    let all: Vec<Vec<i32>> = (0..COUNTS[2]).map(|k| values(n, k)).collect();
    let expected: Vec<Vec<i32>> = all.iter().map(|x| host(&tree, x)).collect();
    let slices: Vec<&[i32]> = all.iter().map(Vec::as_slice).collect();
    let passes = Columns::new(&on, Direction::Leaffix, Scope::Inclusive);
    let sweep = race(rounds, &mut [run(|| drop(host(&tree, &all[0])))])[0];
    for (name, pass) in [("scan", scan as Pass), ("contract", contract)] {
        let mut first = f64::INFINITY;
        for count in COUNTS {
            let columns = &slices[..count];
            let (found, mut waited) = pass(passes, columns)?;
            assert!(found == expected[..count], "{name}: the device's answers differ");
            let (found, mut apart) = pass(passes.apart(), columns)?;
            assert!(found == expected[..count], "{name}: the device's answers differ");
            let [mut together, mut one_by_one] = [f64::INFINITY; 2];
            for _ in 0..rounds {
                let start = Instant::now();
                let (_, seconds) = pass(passes, columns)?;
                let took = start.elapsed().as_secs_f64();
                if took < together {
                    (together, waited) = (took, seconds);
                }
                let start = Instant::now();
                for &column in columns {
                    pass(passes, &[column])?;
                }
                one_by_one = one_by_one.min(start.elapsed().as_secs_f64());
                let (_, seconds) = pass(passes.apart(), columns)?;
                if total(&seconds) < total(&apart) {
                    apart = seconds;
                }
            }
            if count == 1 {
                first = together;
            }
            let sweeps = sweep * count as f64;
            let (estimate, gain) = match name {
                "scan" => {
                    let parts = estimate(n, count);
                    (parts.map(ms).join(", "), format!("{:.1}", sweeps / parts[2]))
                }
                _ => Default::default(),
            };
            many.columns.row(vec![
                name.to_string(),
                count.to_string(),
                ms(together),
                ms(one_by_one),
                format!("{:.2}", together / first),
                parts(&waited),
                parts(&apart),
                estimate,
                ms(sweeps),
                gain,
            ]);
            if count == COUNTS[2] {
                let what = format!("{name}, {count} columns, times one column");
                many.goals.at_most(&what, 6.0, together / first, "");
            }
        }
    }
    Ok(())
}

type Pass = fn(Columns<'_, '_>, &[&[i32]]) -> Result<(Vec<Vec<i32>>, Seconds), GpuError>;

fn scan(passes: Columns<'_, '_>, x: &[&[i32]]) -> Result<(Vec<Vec<i32>>, Seconds), GpuError> {
    passes.euler(&Sum::new(), x)
}

fn contract(passes: Columns<'_, '_>, x: &[&[i32]]) -> Result<(Vec<Vec<i32>>, Seconds), GpuError> {
    passes.contract(&Sum::new(), x)
}

fn total(seconds: &Seconds) -> f64 {
    seconds.upload + seconds.compute + seconds.download
}

fn several_trees(
    device: &Device,
    count: usize,
    each: usize,
    rounds: usize,
    many: &mut Many,
) -> Result<(), GpuError> {
    let tree = |seed: usize| {
        let parents = generate(Shape::Random, each, seed as u64).expect("trees of any size");
        Tree::from_parents(&shuffle(&parents, seed as u64)).expect("a shape is a tree")
    };
    let trees: Vec<Tree> = (0..count).map(tree).collect();
    let forest = Tree::join(&trees.iter().collect::<Vec<_>>()).expect("trees fit");
    let x = values(forest.len(), 1);
    let expected = host(&forest, &x);
    let op = Sum::<i32>::new();
    let scope = Scope::Inclusive;
    let check = |found: Vec<Vec<i32>>, expected: &[i32]| {
        assert!(found[0] == expected, "the device's answers differ");
    };
    let few = count.min(ONE_BY_ONE);
    let on = DeviceTree::new(device, &forest)?;
    let tour = DeviceTree::new(device, &forest)?;
    let scan = Columns::new(&tour, Direction::Leaffix, scope);
    let packets = Columns::new(&on, Direction::Leaffix, scope);
    // Both forms go up, and kernels are compiled.
    check(packets.trees(&op, &[&x])?.0, &expected);
    check(scan.euler(&op, &[&x])?.0, &expected);
    let one_by_one = || -> Result<(), GpuError> {
        for (k, tree) in trees[..few].iter().enumerate() {
            let on = DeviceTree::new(device, tree)?;
            let range = k * each..(k + 1) * each;
            let passes = Columns::new(&on, Direction::Leaffix, scope);
            check(passes.euler(&op, &[&x[range.clone()]])?.0, &expected[range]);
        }
        Ok(())
    };
    let new = || -> Result<(), GpuError> {
        let on = DeviceTree::new(device, &forest)?;
        let passes = Columns::new(&on, Direction::Leaffix, scope);
        check(passes.trees(&op, &[&x])?.0, &expected);
        Ok(())
    };
    let kept = || packets.trees(&op, &[&x]).map(|(found, _)| check(found, &expected));
    let apart = || packets.apart().trees(&op, &[&x]).map(|(found, _)| check(found, &expected));
    let scanned = || scan.euler(&op, &[&x]).map(|(found, _)| check(found, &expected));
    let failure = std::cell::RefCell::new(None);
    let keep = |result: Result<(), GpuError>| {
        if let Err(error) = result {
            failure.borrow_mut().get_or_insert(error);
        }
    };
    let times = race(
        rounds,
        &mut [
            run(|| keep(new())),
            run(|| keep(kept())),
            run(|| keep(apart())),
            run(|| keep(scanned())),
            run(|| keep(one_by_one())),
            run(|| check(vec![host(&forest, &x)], &expected)),
        ],
    );
    if let Some(error) = failure.into_inner() {
        return Err(error);
    }
    let [new, kept, apart, scanned, one_by_one, host] = times[..] else {
        return Ok(());
    };
    let name = format!("{count} × {each}");
    let mut row = |how: &str, seconds: f64, trees: usize| {
        let per_tree = format!("{:.1}", 1e6 * seconds / trees as f64);
        many.trees.row(vec![name.clone(), how.to_string(), ms(seconds), per_tree]);
    };
    row("in packets, trees and values go up", new, count);
    row("in packets, trees are there", kept, count);
    row("the same, transfers and computing apart", apart, count);
    row("as one forest by the scan, which is there", scanned, count);
    row(&format!("one by one ({few} of them)"), one_by_one, few);
    row("the host's sweep", host, count);
    let ratio = one_by_one / few as f64 / (new / count as f64);
    many.goals.at_least("trees one by one / in packets", 10.0, ratio, "");
    Ok(())
}
