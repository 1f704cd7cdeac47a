//! Contraction in synchronous rounds, as published, beside the program that waits for no
//! round.
//!
//! **Problem.** How many rounds of COMPACT a tree takes, and what one message along every
//! live link in every round costs. This is a model on arrays of the host, for comparison
//! only; the program's costs are counted on the machine.
//!
//! **Method.** A round: every supervertex tosses a coin; one with heads that is the only
//! child of a parent with tails, and has one child itself, is absorbed. Then leaves are
//! raked: those of a vertex with at most one child that is no leaf, or, where the operator
//! is commutative, all leaves. Links to children of a vertex that still has several are
//! those of the virtual tree.

use crate::table::Table;
use palmette_core::generate::{Shape, generate};
use palmette_core::operator::Sum;
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local::virtual_tree;
use palmette_spatial::machine::{Machine, MachineParams, Memory};
use palmette_spatial::program::kin;
use palmette_spatial::program::treefix::leaffix;

/// The head of the table.
pub const HEAD: [&str; 9] = [
    "tree",
    "vertices",
    "rounds",
    "energy/n, ordered",
    "rounds, commutative",
    "energy/n, commutative",
    "the program: rounds",
    "energy/n",
    "depth",
];

/// Which leaves may be raked.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Rake {
    /// Those beside at most one child that is no leaf.
    Ordered,
    /// All.
    Commutative,
}

struct Model {
    rounds: u32,
    energy: u64,
}

/// The generator of SplitMix64.
struct Coins(u64);

impl Coins {
    fn toss(&mut self) -> bool {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        (x ^ (x >> 27)) & 1 == 1
    }
}

fn distance(a: Cell, b: Cell) -> u64 {
    u64::from(a.x.abs_diff(b.x) + a.y.abs_diff(b.y))
}

/// Rounds and energy of the published schedule on a tree that lies in light-first order.
fn model(tree: &Tree, cells: &[Cell], rake: Rake, coins: &mut Coins) -> Model {
    let n = tree.len();
    let relay = virtual_tree(tree);
    let mut parent: Vec<u32> = tree.parents().to_vec();
    let mut children = tree.child_counts();
    // Whether all children that a vertex had at first are still there.
    let mut whole = vec![true; n];
    let mut live: Vec<u32> = (1..n as u32).collect();
    let mut heads = vec![false; n];
    let (mut only, mut leaves) = (vec![NONE; n], vec![0u32; n]);
    let mut found = Model { rounds: 0, energy: 0 };
    while !live.is_empty() {
        found.rounds += 1;
        heads[0] = coins.toss();
        for &v in &live {
            heads[v as usize] = coins.toss();
            let u = parent[v as usize];
            only[u as usize] = v;
            let relayed = whole[u as usize] && children[u as usize] > 1;
            let to = if relayed { relay[v as usize].parent } else { u };
            found.energy += distance(cells[v as usize], cells[to as usize]);
        }
        let absorbed: Vec<u32> = live
            .iter()
            .copied()
            .filter(|&v| {
                let u = parent[v as usize] as usize;
                let viable = children[u] == 1 && children[v as usize] == 1;
                viable && heads[v as usize] && !heads[u]
            })
            .collect();
        let mut gone = vec![false; n];
        for v in absorbed {
            let (u, w) = (parent[v as usize], only[v as usize]);
            parent[w as usize] = u;
            whole[u as usize] = false;
            gone[v as usize] = true;
        }
        live.retain(|&v| !gone[v as usize]);
        live.iter().for_each(|&v| leaves[parent[v as usize] as usize] = 0);
        for &v in live.iter().filter(|&&v| children[v as usize] == 0) {
            leaves[parent[v as usize] as usize] += 1;
        }
        let mut raked = vec![0u32; n];
        live.retain(|&v| {
            let u = parent[v as usize] as usize;
            let allowed = rake == Rake::Commutative || children[u] - leaves[u] <= 1;
            let goes = children[v as usize] == 0 && allowed;
            raked[u] += u32::from(goes);
            !goes
        });
        for (u, raked) in raked.into_iter().enumerate().filter(|(_, raked)| *raked > 0) {
            children[u] -= raked;
            whole[u] = whole[u] && children[u] > 1 && rake == Rake::Commutative;
        }
    }
    found
}

/// The model, both ways, and the program, on one tree.
pub fn measure(shape: Shape, n: usize, table: &mut Table) {
    let parents = generate(shape, n, 1).expect("a tree can be generated");
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    let tree = Tree::with_params(&parents, params).expect("generated trees are trees");
    let curve = CurveKind::Hilbert.fitting(n as u64).expect("Hilbert has such grids");
    let mut cells = vec![Cell::default(); n];
    curve.cells(0, &mut cells);
    let seeds = 1..=5u64;
    let mean = |rake| {
        let (mut rounds, mut energy) = (0.0, 0.0);
        for seed in seeds.clone() {
            let found = model(&tree, &cells, rake, &mut Coins(seed));
            rounds += f64::from(found.rounds) / 5.0;
            energy += found.energy as f64 / n as f64 / 5.0;
        }
        [format!("{rounds:.1}"), format!("{energy:.1}")]
    };
    let (mut rounds, mut energy, mut depth) = (0.0, 0.0, 0.0);
    for seed in seeds.clone() {
        let params = MachineParams { seed, links: false, ..MachineParams::default() };
        let build = || Machine::on_curve(&curve, n, params).expect("the grid is large enough");
        let kin = kin(&mut build(), &tree).expect("a generated tree has one root");
        let mut machine = build();
        let ones = Memory::new(n, |_| 1);
        let fold = leaffix(&mut machine, "leaffix", Sum::<u64>::new(), &kin, ones)
            .expect("a processor has words enough");
        assert_eq!(fold.values.states()[0], n as u64, "the root counts all");
        rounds += f64::from(fold.rounds) / 5.0;
        energy += machine.costs().energy as f64 / n as f64 / 5.0;
        depth += f64::from(machine.costs().depth) / 5.0;
    }
    let [ordered, ordered_energy] = mean(Rake::Ordered);
    let [commutative, commutative_energy] = mean(Rake::Commutative);
    table.row(vec![
        shape.to_string(),
        n.to_string(),
        ordered,
        ordered_energy,
        commutative,
        commutative_energy,
        format!("{rounds:.1}"),
        format!("{energy:.2}"),
        format!("{depth:.1}"),
    ]);
}
