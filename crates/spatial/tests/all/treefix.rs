//! Treefix against the host's engines, and Lemmas 10 to 12 with constants.

use palmette_core::generate::{Shape, generate};
use palmette_core::operator::{AffineModulo, Max, Operator, RollingHash, Sum};
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};
use palmette_spatial::curve::CurveKind;
use palmette_spatial::machine::{Fold, Given, Machine, MachineParams, Memory};
use palmette_spatial::program::treefix::{Treefix, leaffix, leaffix_words, rootfix};
use palmette_spatial::program::{Kin, kin};
use palmette_tree::leaffix::leaffix as host_leaffix;
use palmette_tree::rootfix::rootfix as host_rootfix;
use std::fmt::Debug;

const AFFINE: AffineModulo = AffineModulo::new(1_000_003).unwrap();
const HASH: RollingHash = RollingHash::new(5);

fn light_first(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

fn machine(curve: CurveKind, n: usize, seed: u64) -> Machine {
    machine_given(curve, n, seed, Given::NOTHING)
}

fn machine_given(curve: CurveKind, n: usize, seed: u64, given: Given) -> Machine {
    let params = MachineParams { seed, links: false, given, ..MachineParams::default() };
    let params = params.stating(leaffix_words::<Sum<u64>>());
    Machine::on_curve(&curve.fitting(n as u64).unwrap(), n, params).unwrap()
}

/// Some value for every position.
fn number(p: u32) -> u64 {
    u64::from(p).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 40
}

/// Runs both directions on the machine and on the host.
fn compare<M: Fold + Operator>(
    machine: &mut Machine,
    kin: &Memory<Kin>,
    tree: &Tree,
    operator: M,
    value: fn(u32) -> M::Elem,
    what: &str,
) where
    M::Elem: PartialEq + Debug,
{
    let values = Memory::new(tree.len(), value);
    let up = leaffix(machine, "up", operator, kin, values.clone()).unwrap();
    let expected = host_leaffix(tree, values.states(), &operator, Default::default()).unwrap();
    assert_eq!(up.values.states(), expected, "leaffix, {what}");
    let down = rootfix(machine, "down", operator, kin, values.clone()).unwrap();
    let expected = host_rootfix(tree, values.states(), &operator, Default::default()).unwrap();
    assert_eq!(down.values.states(), expected, "rootfix, {what}");
}

/// All operators, one after the other on one machine: all but the first begin at clocks
/// that differ.
fn compare_all(tree: &Tree, curve: CurveKind, seed: u64, what: &str) {
    // Messages wait for those that are late, beside what the program before took.
    let words = 2 * leaffix_words::<RollingHash>();
    let params = MachineParams { seed, links: false, ..MachineParams::default() }.stating(words);
    let curve = curve.fitting(tree.len() as u64).unwrap();
    let machine = &mut Machine::on_curve(&curve, tree.len(), params).unwrap();
    let kin = kin(machine, tree).unwrap();
    compare(machine, &kin, tree, Sum::<u64>::new(), number, what);
    compare(machine, &kin, tree, Max::<u64>::new(), number, what);
    compare(machine, &kin, tree, HASH, |p| HASH.letter(number(p)), what);
    compare(machine, &kin, tree, AFFINE, |p| [number(p) % 1_000_003, u64::from(p)], what);
    assert!(machine.most_received() <= 8, "{what}: {}", machine.most_received());
}

#[test]
fn equal_to_the_host_on_all_small_trees() {
    for shape in Shape::FREE {
        for n in 1..=200 {
            for seed in 0..3 {
                let tree = light_first(shape, n, seed);
                compare_all(&tree, CurveKind::Hilbert, seed, &format!("{shape} {n} {seed}"));
            }
        }
    }
}

#[test]
fn equal_to_the_host_on_large_trees() {
    for shape in Shape::FREE {
        let tree = light_first(shape, 1 << 16, 9);
        compare_all(&tree, CurveKind::Hilbert, 9, &format!("{shape}, large"));
    }
}

#[test]
fn answers_do_not_depend_on_seed_curve_or_threads() {
    for shape in [Shape::Random, Shape::Binary, Shape::Broom, Shape::Preferential] {
        let tree = light_first(shape, 5000, 3);
        for curve in [CurveKind::Z, CurveKind::Peano, CurveKind::RowMajor] {
            for seed in [1, 77] {
                compare_all(&tree, curve, seed, &format!("{shape} on {curve}, seed {seed}"));
            }
        }
        let costs = |threads: usize| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let run = || {
                let measured = measure(&kin_of(&tree), true, Given::NOTHING);
                (measured.machine.costs(), measured.fold.contracted)
            };
            pool.install(run)
        };
        let one = costs(1);
        assert!(one == costs(2) && one == costs(3), "{shape}: threads show");
    }
}

struct Measured {
    machine: Machine,
    fold: Treefix<u64>,
}

/// The virtual tree.
fn kin_of(tree: &Tree) -> Memory<Kin> {
    kin(&mut machine(CurveKind::Hilbert, tree.len(), 1), tree).unwrap()
}

/// One treefix on a machine of its own, the virtual tree given.
fn measure(kin: &Memory<Kin>, up: bool, given: Given) -> Measured {
    let n = kin.states().len();
    let mut machine = machine_given(CurveKind::Hilbert, n, 1, given);
    let (sum, ones) = (Sum::<u64>::new(), Memory::new(n, |_| 1));
    let run = if up { leaffix } else { rootfix };
    let fold = run(&mut machine, "fold", sum, kin, ones).unwrap();
    Measured { machine, fold }
}

/// Energy per vertex, depth and rounds by log2 n: at most so much, leaffix and rootfix.
type Bounds = [[f64; 3]; 2];

/// Measured with seed 1 from 2^8 to 2^18, and five percent. Costs are random, and other seeds
/// exceed these bounds (`seeds.rs` has thirty); one that fails says that a program has changed.
const BOUNDS: [(Shape, Bounds); 12] = [
    (Shape::Random, [[3.96, 2.36, 1.48], [6.39, 5.25, 1.4]]),
    (Shape::Path, [[10.01, 5.02, 2.4], [11.07, 5.7, 2.4]]),
    (Shape::Caterpillar, [[8.97, 5.01, 2.45], [10.46, 5.48, 2.45]]),
    (Shape::Star, [[2.28, 1.05, 0.13], [4.45, 2.1, 0.13]]),
    (Shape::Perfect, [[2.23, 1.05, 1.05], [4.45, 2.1, 1.05]]),
    (Shape::Binary, [[6.96, 3.82, 2.29], [9.08, 5.01, 2.29]]),
    (Shape::FullBinary, [[5.98, 3.85, 2.27], [8.32, 4.9, 2.27]]),
    (Shape::Bst, [[4.6, 2.36, 1.9], [7.0, 4.06, 1.83]]),
    (Shape::Phylogeny, [[4.15, 2.36, 1.8], [6.57, 3.97, 1.8]]),
    (Shape::Preferential, [[3.34, 3.26, 0.97], [5.54, 7.29, 1.05]]),
    (Shape::Broom, [[6.09, 4.72, 2.29], [7.73, 5.6, 2.29]]),
    (Shape::DoubleBroom, [[6.12, 4.43, 2.1], [7.78, 6.94, 2.1]]),
];

/// To spread the seed takes a broadcast: so much energy per vertex, and log n / 2 + 1 steps.
const SEED_ENERGY: f64 = 1.84;
/// Those that hear of the seed later contract later, and with others. Depth and rounds by log2 n:
/// what is measured beyond the bounds and the broadcast, rounded up.
const LATER: [f64; 2] = [0.35, 0.5];

/// Shapes that take the least and the most energy, and the most depth.
const EXTREMES: [Shape; 3] = [Shape::Perfect, Shape::Path, Shape::Preferential];

/// Lemmas 11 and 12: near-linear energy (here linear) and logarithmic depth. Depth is
/// O(log n) where degrees are bounded and O(log² n) elsewhere; with this seed no shape here
/// needs the square.
#[test]
fn lemmas_11_and_12_hold_with_constants() {
    for (shape, bounds) in BOUNDS {
        let largest = if EXTREMES.contains(&shape) { 18 } else { 16 };
        for k in (8..=largest).step_by(2) {
            let (n, log) = (1usize << k, f64::from(k));
            let kin = kin_of(&light_first(shape, n, 1));
            for (up, [energy, depth, rounds]) in [true, false].into_iter().zip(bounds) {
                for given in [Given::ALL, Given::NOTHING] {
                    let Measured { machine, fold } = measure(&kin, up, given);
                    let costs = machine.costs();
                    let found = [
                        costs.energy as f64 / n as f64,
                        f64::from(costs.depth) / log,
                        f64::from(fold.rounds) / log,
                    ];
                    let paid = f64::from(u8::from(given == Given::NOTHING));
                    let within = found[0] <= energy + paid * SEED_ENERGY
                        && found[1] <= depth + paid * (0.5 + 1.0 / log + LATER[0])
                        && found[2] <= rounds + paid * LATER[1];
                    let what = format!("{shape} 2^{k} leaffix {up}, given {given}: {found:.2?}");
                    assert!(within, "{what}");
                    assert!(machine.most_received() <= 6, "{what}: {}", machine.most_received());
                }
            }
        }
    }
}

/// Lemma 10: one round of contraction takes linear energy and, where degrees are bounded,
/// constant depth. Rounds are not separated here, so the sum over all of them is bounded:
/// measured with seed 1 at most 0.57 n energy and 2.34 steps per round, on average.
#[test]
fn lemma_10_holds_on_average() {
    for shape in [Shape::Path, Shape::Caterpillar, Shape::Binary, Shape::FullBinary, Shape::Bst] {
        for k in [8, 12, 16] {
            let n = 1usize << k;
            let Measured { machine, fold } =
                measure(&kin_of(&light_first(shape, n, 1)), true, Given::ALL);
            let (costs, rounds) = (machine.costs(), fold.rounds.max(1));
            let [energy, depth] = [costs.energy as f64 / n as f64, costs.depth.into()];
            let each = [energy, depth].map(|cost| cost / f64::from(rounds));
            assert!(each[0] <= 0.59 && each[1] <= 2.45, "{shape} {k}: {each:?} a round");
            let by_round = fold.contracted.states();
            assert!(by_round.iter().all(|vertex| vertex.round <= rounds + 1), "{shape} {k}");
        }
    }
}
