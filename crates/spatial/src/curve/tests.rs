use super::states::{BETA_OMEGA, HILBERT, MOORE, PEANO_CELLS, PEANO_NEXT, States};
use super::*;

fn grid(width: u32, height: u32) -> Grid {
    Grid { width, height }
}

fn all_cells(curve: &Curve) -> Vec<Cell> {
    (0..curve.len()).map(|index| curve.cell(index)).collect()
}

/// Every kind on its small squares, and on many rectangles where it takes any.
fn small_curves() -> Vec<Curve> {
    let sides = [1, 2, 3, 4, 5, 8, 9, 16, 27, 32, 64, 81];
    let mut grids: Vec<Grid> = sides.iter().map(|&side| grid(side, side)).collect();
    for other in 1..=20 {
        for side in [1, 2, 3, 7, 8, 9, 10, 11, 16, 17, 23, 31, 40, 61] {
            grids.extend([grid(side, other), grid(other, side)]);
        }
    }
    grids.extend([grid(1, 1000), grid(1000, 1), grid(3, 999), grid(998, 5)]);
    let on = |kind: CurveKind| grids.iter().filter_map(move |&grid| kind.on(grid).ok());
    CurveKind::ALL.into_iter().flat_map(on).collect()
}

/// The largest curve of a kind.
fn largest(kind: CurveKind) -> Curve {
    kind.fitting(kind.most_cells()).unwrap()
}

fn random(seed: u64) -> u64 {
    let z = (seed + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    let z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    z ^ (z >> 31)
}

#[test]
fn every_index_has_a_cell_and_every_cell_an_index() {
    for curve in small_curves() {
        let Grid { width, height } = curve.grid();
        let mut seen = vec![false; curve.len() as usize];
        for (index, cell) in all_cells(&curve).into_iter().enumerate() {
            assert!(curve.grid().contains(cell), "{curve:?}: {index} at {cell:?}");
            assert_eq!(curve.index(cell), index as u64, "{curve:?}: {cell:?}");
            seen[(cell.y * width + cell.x) as usize] = true;
        }
        assert!(seen.iter().all(|&seen| seen), "{curve:?} misses cells of {width}x{height}");
    }
}

#[test]
fn batches_agree_with_single_calls() {
    let few = |curve: &Curve| (0..2000).map(|k| random(k) % curve.len()).collect::<Vec<u64>>();
    for curve in small_curves().into_iter().chain(CurveKind::ALL.map(largest)) {
        let indices = few(&curve);
        let mut cells = vec![Cell::default(); indices.len()];
        curve.cells_at(&indices, &mut cells);
        assert!(indices.iter().zip(&cells).all(|(&i, &c)| curve.cell(i) == c), "{curve:?}");
        let mut back = vec![0; cells.len()];
        curve.indices_at(&cells, &mut back);
        assert_eq!(back, indices, "{curve:?}");
        for &first in &indices[..20] {
            let count = (curve.len() - first).min(random(first) % 1500) as usize;
            let mut run = vec![Cell::default(); count];
            curve.cells(first, &mut run);
            let expected: Vec<Cell> = (first..).map(|i| curve.cell(i)).take(count).collect();
            assert_eq!(run, expected, "{curve:?} from {first}");
        }
    }
}

#[test]
fn largest_curves_go_there_and_back() {
    for kind in CurveKind::ALL {
        let curve = largest(kind);
        for index in (0..20_000).map(random).chain([0, u64::MAX]) {
            let index = if index == u64::MAX { curve.len() - 1 } else { index % curve.len() };
            let cell = curve.cell(index);
            assert!(curve.grid().contains(cell));
            assert_eq!(curve.index(cell), index, "{kind}: {cell:?}");
            if kind.has_unit_steps() && index > 0 {
                assert_eq!(cell.distance(curve.cell(index - 1)), 1, "{kind} at {index}");
            }
        }
        if kind.is_closed() {
            assert_eq!(curve.cell(0).distance(curve.cell(curve.len() - 1)), 1, "{kind}");
        }
    }
}

#[test]
fn steps_are_as_promised() {
    for curve in small_curves() {
        let cells = all_cells(&curve);
        let long: Vec<u64> =
            cells.windows(2).map(|w| w[0].distance(w[1])).filter(|&d| d != 1).collect();
        let Grid { width, height } = curve.grid();
        if curve.kind() == CurveKind::Gilbert {
            let (longer, shorter) = (width.max(height), width.min(height));
            let diagonal = longer % 2 == 1 && shorter % 2 == 0 && shorter > 2;
            assert_eq!(long, vec![2; usize::from(diagonal)], "{curve:?}");
            let diagonals = cells.windows(2).filter(|w| w[0].x != w[1].x && w[0].y != w[1].y);
            assert_eq!(diagonals.count(), usize::from(diagonal), "{curve:?}");
        }
        assert!(!curve.kind().has_unit_steps() || long.is_empty(), "{curve:?}: {long:?}");
        if curve.kind().is_closed() && curve.len() > 1 {
            assert_eq!(cells[0].distance(cells[cells.len() - 1]), 1, "{curve:?}");
        }
    }
}

/// One level at a time, as the automata are defined.
fn by_levels<const S: usize>(states: &States<S>, start: usize, order: u32, index: u64) -> Cell {
    let (mut state, mut at) = (start, Cell::default());
    for level in (0..order).rev() {
        let digit = (index >> (2 * level)) as usize & 3;
        let cell = u32::from(states.cells[state][digit]);
        at = Cell { x: 2 * at.x + (cell & 1), y: 2 * at.y + (cell >> 1) };
        state = usize::from(states.next[state][digit]);
    }
    at
}

fn peano_by_levels(order: u32, index: u64) -> Cell {
    let (mut state, mut at) = (0, Cell::default());
    for level in (0..order).rev() {
        let digit = (index / 9u64.pow(level) % 9) as usize;
        let cell = u32::from(PEANO_CELLS[state][digit]);
        at = Cell { x: 3 * at.x + cell / 3, y: 3 * at.y + cell % 3 };
        state = usize::from(PEANO_NEXT[state][digit]);
    }
    at
}

/// The H-index by cutting triangles: Niedermeier, Reinhardt and Sanders.
fn h_index_by_triangles(order: u32, index: u64) -> Cell {
    let side = 1i64 << order;
    let (low, high) = ((0, 0), (side, side));
    let second = index >> (2 * order - 1) & 1 == 1;
    let mut triangle = if second { [high, (side, 0), low] } else { [low, (0, side), high] };
    for bit in (0..2 * order - 1).rev() {
        let [a, b, c] = triangle;
        let middle = ((a.0 + c.0) / 2, (a.1 + c.1) / 2);
        triangle = if index >> bit & 1 == 0 { [a, middle, b] } else { [b, middle, c] };
    }
    let [a, b, c] = triangle;
    let dir = ((a.0 + c.0) / 2 - b.0, (a.1 + c.1) / 2 - b.1);
    let even = ((b.0 - 1) / 2 + (b.1 - 1) / 2) % 2 == 0;
    let turned = if even { (dir.1, -dir.0) } else { (-dir.1, dir.0) };
    let place = |b: i64, dir: i64, turned: i64| (b + (dir + turned - 1).div_euclid(2)) as u32;
    Cell { x: place(b.0, dir.0, turned.0), y: place(b.1, dir.1, turned.1) }
}

#[test]
fn tables_and_word_tricks_agree_with_the_definitions() {
    for order in 1..=20 {
        let square = |kind: CurveKind| kind.on(grid(1 << order, 1 << order)).unwrap();
        for index in (0..300).map(|k| random(k) >> (64 - 2 * order)) {
            let same = |kind, cell| assert_eq!(square(kind).cell(index), cell, "{kind} {order}");
            same(CurveKind::Hilbert, by_levels(&HILBERT, 0, order, index));
            same(CurveKind::Moore, by_levels(&MOORE, 0, order, index));
            same(CurveKind::BetaOmega, by_levels(&BETA_OMEGA, 0, order, index));
            same(CurveKind::BetaOmegaClosed, by_levels(&BETA_OMEGA, 24, order, index));
            same(CurveKind::HIndex, h_index_by_triangles(order, index));
        }
        let side = 3u32.pow(order);
        let peano = CurveKind::Peano.on(grid(side, side)).unwrap();
        for index in (0..300).map(|k| random(k) % peano.len()) {
            assert_eq!(peano.cell(index), peano_by_levels(order, index), "peano {order}");
        }
    }
}

#[test]
fn gilbert_on_powers_of_two_is_hilberts_curve() {
    for side in (0..8).map(|order| 1 << order) {
        let on = |kind: CurveKind| all_cells(&kind.on(grid(side, side)).unwrap());
        assert_eq!(on(CurveKind::Gilbert), on(CurveKind::Hilbert), "{side}");
    }
}

/// The largest distance²/gap over all pairs, as distance and gap.
fn worst_pair(cells: &[Cell]) -> (u64, u64) {
    let (mut distance, mut gap) = (0, 1);
    for (i, &from) in cells.iter().enumerate() {
        for (j, &to) in cells.iter().enumerate().skip(i + 1) {
            let (d, g) = (from.distance(to), (j - i) as u64);
            if d * d * gap > distance * distance * g {
                (distance, gap) = (d, g);
            }
        }
    }
    (distance, gap)
}

#[test]
fn locality_is_as_known() {
    let known = [
        (CurveKind::Hilbert, 64, "2.9375"),
        (CurveKind::Moore, 64, "2.9375"),
        (CurveKind::BetaOmega, 64, "2.9375"),
        (CurveKind::BetaOmegaClosed, 64, "2.9375"),
        (CurveKind::HIndex, 64, "2.807"),
        (CurveKind::Peano, 81, "3.205"),
        (CurveKind::Z, 64, "64"),
    ];
    for (kind, side, expected) in known {
        let (distance, gap) = worst_pair(&all_cells(&kind.on(grid(side, side)).unwrap()));
        let worst = distance as f64 / (gap as f64).sqrt();
        let digits = expected.split_once('.').map_or(0, |(_, digits)| digits.len());
        assert_eq!(format!("{worst:.digits$}"), expected, "{kind}: {distance} at {gap}");
    }
}

#[test]
fn hilbert_keeps_within_three_roots_less_two() {
    let cells = all_cells(&CurveKind::Hilbert.on(grid(64, 64)).unwrap());
    let mut tight = false;
    for (i, &from) in cells.iter().enumerate() {
        for (gap, &to) in cells[i..].iter().enumerate().skip(1) {
            let reach = (from.distance(to) + 2).pow(2);
            assert!(reach <= 9 * gap as u64, "{from:?} to {to:?} in {gap}");
            tight |= reach == 9 * gap as u64;
        }
    }
    assert!(tight);
}

#[test]
fn fitting_takes_the_smallest_grid() {
    let size = |kind: CurveKind, cells| kind.fitting(cells).unwrap().grid().to_string();
    for kind in CurveKind::ALL {
        assert_eq!((size(kind, 0), size(kind, 1)), ("1x1".to_string(), "1x1".to_string()));
        let whole = largest(kind);
        assert_eq!(whole.len(), kind.most_cells());
        assert_eq!(kind.on(whole.grid()), Ok(whole));
    }
    assert_eq!(size(CurveKind::Hilbert, 2), "2x2");
    assert_eq!(size(CurveKind::HIndex, 16), "4x4");
    assert_eq!(size(CurveKind::Moore, 17), "8x8");
    assert_eq!(size(CurveKind::Peano, 9), "3x3");
    assert_eq!(size(CurveKind::Peano, 10), "9x9");
    assert_eq!(size(CurveKind::Gilbert, 10), "4x3");
    assert_eq!(size(CurveKind::RowMajor, 2), "2x1");
    assert_eq!(size(CurveKind::Serpentine, 1 << 40), "1048576x1048576");
}

#[test]
fn errors_say_what_would_do() {
    let text =
        |kind: CurveKind, width, height| kind.on(grid(width, height)).unwrap_err().to_string();
    assert_eq!(
        text(CurveKind::Hilbert, 3, 5),
        "hilbert fills squares whose side is a power of two up to 2^31, not 3x5"
    );
    assert_eq!(
        text(CurveKind::Peano, 6, 6),
        "peano fills squares whose side is a power of three up to 3^20, not 6x6"
    );
    assert_eq!(
        text(CurveKind::Gilbert, 0, 5),
        "gilbert fills rectangles of at least one cell, not 0x5"
    );
    for (kind, width, height) in [
        (CurveKind::Z, 4, 8),
        (CurveKind::Moore, 0, 0),
        (CurveKind::Peano, 0, 0),
        (CurveKind::Peano, 3, 9),
    ] {
        assert_eq!(
            kind.on(grid(width, height)),
            Err(CurveError::Shape { kind, grid: grid(width, height) })
        );
    }
    assert_eq!(
        CurveKind::Z.fitting(u64::MAX).unwrap_err().to_string(),
        "z has at most 4611686018427387904 cells, not 18446744073709551615"
    );
    assert_eq!(
        "dragon".parse::<CurveKind>().unwrap_err().to_string(),
        "unknown curve `dragon`; expected one of hilbert, moore, z, peano, beta-omega, \
         beta-omega-closed, h-index, gilbert, row-major, serpentine"
    );
    for kind in CurveKind::ALL {
        assert_eq!(kind.to_string().parse(), Ok(kind));
    }
}

#[test]
fn out_of_range_panics() {
    let panics = |run: &dyn Fn()| {
        std::panic::catch_unwind(std::panic::AssertUnwindSafe(run)).expect_err("out of range")
    };
    for kind in CurveKind::ALL {
        let curve = kind.fitting(4).unwrap();
        let outside = Cell { x: curve.grid().width, y: 0 };
        panics(&|| {
            curve.cell(curve.len());
        });
        panics(&|| {
            curve.index(outside);
        });
        panics(&|| curve.cells(1, &mut vec![Cell::default(); curve.len() as usize]));
        panics(&|| curve.cells_at(&[0, curve.len()], &mut [Cell::default(); 2]));
        panics(&|| curve.indices_at(&[Cell::default(), outside], &mut [0; 2]));
        panics(&|| curve.cells_at(&[0, 1], &mut [Cell::default(); 1]));
        curve.cells(u64::MAX, &mut []);
    }
}

#[test]
fn a_curve_is_small() {
    assert!(size_of::<Curve>() <= 32);
}
