//! Theorem 3 with constants: local messaging takes linear energy and logarithmic depth.

use palmette_core::generate::{Shape, generate};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local::{broadcast, construct, families, reduce, virtual_tree};
use palmette_spatial::machine::{Costs, Machine, MachineParams, Memory};

fn light_first(shape: Shape, n: usize) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, 1).unwrap(), params).unwrap()
}

fn hilbert(n: usize) -> Vec<Cell> {
    let mut cells = vec![Cell::default(); n];
    CurveKind::Hilbert.fitting(n as u64).unwrap().cells(0, &mut cells);
    cells
}

/// The sum of the distances to the parents.
fn energy(cells: &[Cell], parents: impl Iterator<Item = u32>) -> u64 {
    let distance = |(a, p): (&Cell, u32)| match p {
        NONE => 0,
        _ => {
            let b = cells[p as usize];
            u64::from(a.x.abs_diff(b.x) + a.y.abs_diff(b.y))
        }
    };
    cells.iter().zip(parents).map(distance).sum()
}

struct Measured {
    /// Of construct, broadcast and reduce, each on a machine of its own.
    costs: [Costs; 3],
    received: [u32; 3],
}

fn measure(tree: &Tree) -> Measured {
    let n = tree.len();
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let params = MachineParams { links: false, ..MachineParams::default() };
    let mut machines = [(); 3].map(|()| Machine::on_curve(&curve, n, params).unwrap());
    let [a, b, c] = &mut machines;
    let links = construct(a, &families(tree)).unwrap();
    let values = Memory::new(n, |p| p);
    let heard = broadcast(b, "down", &links, values.clone()).unwrap();
    assert!((0..n as u32).all(|p| heard.states()[p as usize] == tree.parent(p)));
    let counts = reduce(c, "up", Sum::<u32>::default(), &links, values.map(|_, _| 1)).unwrap();
    assert_eq!(counts.states(), tree.child_counts());
    Measured {
        costs: machines.each_ref().map(Machine::costs),
        received: machines.each_ref().map(Machine::most_received),
    }
}

#[test]
fn theorem_3_holds_with_constants() {
    for shape in Shape::FREE {
        for k in 8..=18 {
            let n = 1usize << k;
            let tree = light_first(shape, n);
            let Measured { costs: [build, down, up], received } = measure(&tree);
            let what = format!("{shape}, {n} vertices");

            let edges = energy(&hilbert(n), virtual_tree(&tree).iter().map(|link| link.parent));
            assert_eq!((down.energy, up.energy), (edges, edges), "{what}");
            assert!(edges as f64 <= 2.12 * n as f64, "{what}");
            assert!(build.energy <= 2 * edges, "{what}");
            assert!(build.energy as f64 <= 3.57 * n as f64, "{what}");

            let vertices = n as u64;
            assert_eq!((down.messages, up.messages), (vertices - 1, vertices - 1), "{what}");
            assert!(build.messages <= vertices + vertices / 2, "{what}");

            let most = tree.child_counts().into_iter().max().unwrap();
            assert_eq!([down.depth, up.depth], [(most + 1).ilog2(); 2], "{what}");
            assert!(down.depth <= k, "{what}");
            assert!(f64::from(build.depth) <= 2.0 * f64::from(most).log2(), "{what}");

            let side = (n as f64).sqrt();
            assert!(down.distance.max(up.distance) as f64 <= 3.0 * side, "{what}");
            assert!(build.distance as f64 <= 4.0 * side, "{what}");
            assert!(received[0] <= 3 && received[1] == 1 && received[2] <= 4, "{what}");
        }
    }
}

/// Energy per vertex, of direct messages and of the virtual tree.
fn direct_and_virtual(shape: Shape, n: usize) -> [f64; 2] {
    let (tree, cells) = (light_first(shape, n), hilbert(n));
    let direct = energy(&cells, tree.parents().iter().copied());
    let relayed = measure(&tree).costs[1].energy;
    [direct, relayed].map(|energy| energy as f64 / n as f64)
}

#[test]
fn relaying_saves_what_is_known() {
    for (shape, n, expected) in [
        (Shape::Preferential, 1 << 10, [3.05, 1.83]),
        (Shape::Preferential, 1 << 18, [3.66, 1.91]),
        (Shape::Star, 1 << 10, [31.0, 2.01]),
        (Shape::Star, 1 << 18, [511.0, 2.12]),
        (Shape::Perfect, 1 << 18, [2.12, 2.12]),
        (Shape::Caterpillar, 1 << 18, [1.5, 1.5]),
    ] {
        for (found, expected) in direct_and_virtual(shape, n).into_iter().zip(expected) {
            let error = (found / expected - 1.0).abs();
            assert!(error < 0.03, "{shape}, {n}: found {found}, expected {expected}");
        }
    }
}

#[test]
fn small_stars_exactly() {
    // By hand, eight cells along the curve: 01, 04, 12, 13, 45, 46 and 67 are 1, 2, 1, 2,
    // 1, 2 and 1 apart. To construct: 4 tells 0; 2 tells 1 about 3, 5 tells 4 about 6;
    // 3 and 6 are adopted. 2 + 1 + 1 + 2 + 2.
    let [build, down, up] = measure(&light_first(Shape::Star, 8)).costs;
    assert_eq!((build.energy, build.messages, build.depth), (8, 5, 2));
    assert_eq!((down.energy, down.messages, down.depth), (10, 7, 3));
    assert_eq!((up.energy, up.messages, up.depth), (10, 7, 3));
    // Pinned.
    let [build, down, up] = measure(&light_first(Shape::Star, 1024)).costs;
    assert_eq!([build.energy, down.energy, up.energy], [3252, 2058, 2058]);
    assert_eq!([build.depth, down.depth, up.depth], [16, 10, 10]);
}
