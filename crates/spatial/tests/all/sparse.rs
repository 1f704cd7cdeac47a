//! What products with sparse matrices and selection cost, by size: constants of docs/theorems.md.

use palmette_core::CgParams;
use palmette_spatial::collective::{Network, Range, select, select_words};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::sparse::{
    Blocks, Placed, Sorted, SparseMatrix, cg_words, conjugate_gradients, follow, sorted_words,
};

/// The Laplacian of a square grid, 1 added to its diagonal, and its points.
fn grid(side: u32) -> (SparseMatrix, Vec<[f64; 3]>) {
    let at = |x: u32, y: u32| y * side + x;
    let mut entries: Vec<(u32, u32, f64)> = (0..side * side).map(|i| (i, i, 1.0)).collect();
    let mut join = |a: u32, b: u32| {
        entries.extend([(a, a, 1.0), (b, b, 1.0), (a, b, -1.0), (b, a, -1.0)]);
    };
    for y in 0..side {
        for x in 1..side {
            join(at(x - 1, y), at(x, y));
            join(at(y, x - 1), at(y, x));
        }
    }
    let point = |i: u32| [f64::from(i % side), f64::from(i / side), 0.0];
    let matrix = SparseMatrix::new((side * side) as usize, &entries).unwrap();
    (matrix, (0..side * side).map(point).collect())
}

fn machine(processors: usize, words: usize) -> Machine {
    let params = MachineParams { links: false, ..MachineParams::default() };
    let curve = CurveKind::Hilbert.fitting(processors as u64).unwrap();
    Machine::on_curve(&curve, processors, params.stating(words)).unwrap()
}

fn random(x: u64) -> u64 {
    palmette_core::random::mixed(x.wrapping_add(77))
}

/// Sides whose blocks nearly fill grids of 4^k processors.
const SIDES: [u32; 4] = [14, 28, 57, 114];

#[test]
fn products_of_meshes_take_constant_energy_per_entry() {
    for side in SIDES {
        let (matrix, points) = grid(side);
        let n = matrix.rows();
        let x: Vec<f64> = (0..n as u64).map(|i| random(i) as f64).collect();
        let natural: Vec<u32> = (0..n as u32).collect();
        let processors = Blocks::new(&matrix, &natural).unwrap().processors();
        let curve = CurveKind::Hilbert.fitting(processors as u64).unwrap();
        let each = |points: &[[f64; 3]]| {
            let blocks = Blocks::new(&matrix, &follow(&curve, &matrix, points)).unwrap();
            let mut machine = machine(processors, blocks.words());
            blocks.product(&mut machine, "y", blocks.place(&x).unwrap()).unwrap();
            assert!(machine.costs().depth <= 7, "side {side}");
            assert!(machine.words_used() <= blocks.words());
            machine.costs().energy as f64 / matrix.entries() as f64
        };
        let (with, without) = (each(&points), each(&[]));
        println!("side {side}: {with:.2} with points, {without:.2} without, per entry");
        assert!(with <= 6.2, "side {side}: {with}");
        assert!(without <= 11.0, "side {side}: {without}");
    }
}

#[test]
fn products_by_sorting_take_their_bound() {
    for side in &SIDES[..3] {
        let (matrix, _) = grid(*side);
        // Numbered at random: entries lie anywhere.
        let n = matrix.rows();
        let mut label: Vec<u32> = (0..n as u32).collect();
        (1..n).for_each(|i| label.swap(i, (random(i as u64) % (i as u64 + 1)) as usize));
        let entries: Vec<(u32, u32, f64)> =
            matrix.all().map(|(i, j, a)| (label[i as usize], label[j as usize], a)).collect();
        let matrix = SparseMatrix::new(n, &entries).unwrap();
        let processors = Sorted::processors_of(&matrix).unwrap();
        let mut machine = machine(processors, sorted_words(processors));
        let x: Vec<f64> = (0..n as u64).map(|i| random(i) as f64).collect();
        let (sorted, x) = Sorted::new(&mut machine, "y", Network::OddEven, &matrix, &x).unwrap();
        let (setup, scale) = (machine.costs(), (processors as f64).powf(1.5));
        sorted.product(&mut machine, "y", x).unwrap();
        let product = machine.costs().energy - setup.energy;
        let (setup_each, each) = (setup.energy as f64 / scale, product as f64 / scale);
        println!("side {side}: setup {setup_each:.2} N^1.5, product {each:.2} N^1.5");
        assert!(setup_each <= 21.0 && each <= 0.75, "side {side}: {setup_each}, {each}");
        let k = processors.next_power_of_two().ilog2();
        assert!(setup.depth <= k * (k + 1) + k, "side {side}: {}", setup.depth);
        assert!(machine.costs().depth - setup.depth <= 2 * k + 8, "side {side}");
    }
}

#[test]
fn an_iteration_takes_a_product_and_two_sums() {
    let (matrix, points) = grid(40);
    let n = matrix.rows();
    let natural: Vec<u32> = (0..n as u32).collect();
    let processors = Blocks::new(&matrix, &natural).unwrap().processors();
    let curve = CurveKind::Hilbert.fitting(processors as u64).unwrap();
    let blocks = Blocks::new(&matrix, &follow(&curve, &matrix, &points)).unwrap();
    let b: Vec<f64> = (0..n as u64).map(|i| random(i) as i64 as f64).collect();
    let mut one = machine(processors, blocks.words());
    blocks.product(&mut one, "y", blocks.place(&b).unwrap()).unwrap();
    let mut all = machine(processors, cg_words(&blocks));
    let params = CgParams { tolerance: 1e-6, ..CgParams::default() };
    let b = blocks.place(&b).unwrap();
    let found = conjugate_gradients(&mut all, "cg", &blocks, b, &params).unwrap();
    // One more product and one more sum for the true residual, and a sum at the start.
    let products = found.iterations as u64 + 1;
    let sums = all.costs().energy - products * one.costs().energy;
    let each = sums as f64 / (2 * products) as f64 / processors as f64;
    println!("{} iterations, {each:.2} N per sum", found.iterations);
    assert!((3.0..3.75).contains(&each), "{each}");
}

#[test]
fn selection_takes_linear_energy() {
    for k in (8..=14).step_by(2) {
        let n = 1u32 << k;
        let mut most = (0f64, 0, 0);
        for seed in 0..5 {
            let keys = Memory::new(n as usize, |p| random(u64::from(p) ^ seed << 40));
            let params = MachineParams { links: false, seed, ..MachineParams::default() };
            let curve = CurveKind::Hilbert.fitting(n.into()).unwrap();
            let words = select_words::<u64>(n as usize);
            let mut machine = Machine::on_curve(&curve, n as usize, params.stating(words)).unwrap();
            let rank = (random(seed) % u64::from(n)) as u32;
            let found = select(&mut machine, "k", Range::new(0, n), rank, keys).unwrap();
            let costs = machine.costs();
            most.0 = most.0.max(costs.energy as f64 / f64::from(n));
            most.1 = most.1.max(costs.depth);
            most.2 = most.2.max(found.rounds);
        }
        println!(
            "2^{k}: at most {:.1} n energy, {} steps, {} rounds of five seeds",
            most.0, most.1, most.2
        );
        assert!(most.0 <= 80.0, "2^{k}: {}", most.0);
        assert!(most.2 <= 4, "2^{k}: {} rounds", most.2);
        assert!(most.1 <= 3 * k * k, "2^{k}: {} steps", most.1);
    }
}
