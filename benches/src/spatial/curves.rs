//! Space-filling curves: Hilbert's against `fast_hilbert`, and all of them side by side.

use crate::table::Table;
use crate::timing::{race, run};
use palmette_spatial::Cell;
use palmette_spatial::curve::{Curve, CurveKind};

/// The side of the squares is 2^16; other curves get about as many cells.
const ORDER: u8 = 16;

/// Both studies as Markdown.
pub fn study(quick: bool) -> String {
    let (n, rounds) = if quick { (1 << 14, 5) } else { (1 << 20, 31) };
    format!("{}\n{}", against_fast_hilbert(n, rounds), all_curves(n, rounds))
}

/// Random indices of a curve.
fn random_indices(curve: &Curve, n: usize) -> Vec<u64> {
    let pick = |k: u64| {
        let z = k.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB)
    };
    (1..=n as u64).map(|k| pick(k) % curve.len()).collect()
}

fn nanoseconds(seconds: &[f64], n: usize) -> Vec<f64> {
    seconds.iter().map(|s| s / n as f64 * 1e9).collect()
}

/// Ours in batches and one by one, and the peer, which has no batches.
fn against_fast_hilbert(n: usize, rounds: usize) -> String {
    let mut table = Table::new(&[
        "hilbert, side 2^16, ns",
        "ours, batch",
        "ours, one by one",
        "fast_hilbert",
        "fast_hilbert/batch",
        "fast_hilbert/one by one",
    ]);
    let curve = CurveKind::Hilbert.fitting(1 << (2 * ORDER)).expect("that is its size");
    let first = curve.len() / 3;
    let orders =
        [("random", random_indices(&curve, n)), ("consecutive", (first..).take(n).collect())];
    for (name, indices) in &orders {
        let [mut a, mut b, mut c] = [(); 3].map(|()| vec![Cell::default(); n]);
        let best = race(
            rounds,
            &mut [
                run(|| match *name {
                    "consecutive" => curve.cells(first, &mut a),
                    _ => curve.cells_at(indices, &mut a),
                }),
                run(|| b.iter_mut().zip(indices).for_each(|(to, &i)| *to = curve.cell(i))),
                run(|| {
                    for (to, &index) in c.iter_mut().zip(indices) {
                        let (x, y) = fast_hilbert::h2xy::<u32>(index, ORDER);
                        *to = Cell { x, y };
                    }
                }),
            ],
        );
        assert!(a == b && b == c, "all must agree");
        table.row(compared(format!("index to cell, {name}"), &nanoseconds(&best, n)));
        let [mut d, mut e, mut f] = [(); 3].map(|()| vec![0; n]);
        let best = race(
            rounds,
            &mut [
                run(|| curve.indices_at(&a, &mut d)),
                run(|| e.iter_mut().zip(&a).for_each(|(to, &cell)| *to = curve.index(cell))),
                run(|| {
                    for (to, cell) in f.iter_mut().zip(&a) {
                        *to = fast_hilbert::xy2h(cell.x, cell.y, ORDER);
                    }
                }),
            ],
        );
        assert!([d, e, f].iter().all(|answer| answer == indices), "all must agree");
        table.row(compared(format!("cell to index, {name}"), &nanoseconds(&best, n)));
    }
    table.markdown()
}

fn compared(name: String, ns: &[f64]) -> Vec<String> {
    let mut cells = vec![name];
    cells.extend(ns.iter().map(|t| format!("{t:.2}")));
    cells.extend([ns[2] / ns[0], ns[2] / ns[1]].map(|r| format!("{r:.1}")));
    cells
}

fn all_curves(n: usize, rounds: usize) -> String {
    let mut table = Table::new(&[
        "curve, ns",
        "grid",
        "index to cell, random",
        "cell to index, random",
        "consecutive cells",
    ]);
    for kind in CurveKind::ALL {
        let cells = if kind == CurveKind::Peano { 3u64.pow(20) } else { (1 << 32) - 100_000 };
        let curve = kind.fitting(cells).expect("every curve has such a grid");
        let indices = random_indices(&curve, n);
        let [mut random, mut along] = [(); 2].map(|()| vec![Cell::default(); n]);
        curve.cells_at(&indices, &mut random);
        let (cells, mut back) = (random.clone(), vec![0; n]);
        let first = curve.len() / 3;
        let best = race(
            rounds,
            &mut [
                run(|| curve.cells_at(&indices, &mut random)),
                run(|| curve.indices_at(&cells, &mut back)),
                run(|| curve.cells(first, &mut along)),
            ],
        );
        assert!(back == indices, "there and back must agree");
        assert!(along.iter().zip(first..).all(|(&cell, index)| curve.index(cell) == index));
        let mut row = vec![kind.to_string(), curve.grid().to_string()];
        row.extend(nanoseconds(&best, n).iter().map(|t| format!("{t:.2}")));
        table.row(row);
    }
    table.markdown()
}
