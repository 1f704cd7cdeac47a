use super::*;
use crate::curve::CurveKind;
use crate::machine::MachineParams;
use crate::program::kin;
use palmette_core::generate::{Shape, generate};
use palmette_core::operator::{MatrixModulo, Sum};
use palmette_core::tree::SiblingOrder;
use palmette_core::{Tree, TreeParams};

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&generate(shape, n, seed).unwrap(), params).unwrap()
}

const MATRIX: MatrixModulo = MatrixModulo::new(1_000_003).unwrap();

fn check_tree(tree: &Tree, seed: u64, what: &str) -> (u32, u32) {
    let n = tree.len();
    let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let params = MachineParams { seed, words: 256, links: false, ..MachineParams::default() };
    let mut machine = Machine::on_curve(&curve, n, params).unwrap();
    let kin = kin(&mut machine, tree).unwrap();
    let value = |p: u32| [u64::from(p) + 1, u64::from(p % 7), 3, u64::from(p % 3)];
    let values = Memory::new(n, value);
    let up = leaffix(&mut machine, "up", MATRIX, &kin, values.clone()).unwrap();
    let down = rootfix(&mut machine, "down", MATRIX, &kin, values).unwrap();
    for p in (0..n as u32).rev() {
        let product = tree.children(p).fold(value(p), |product, child| {
            MATRIX.combine(product, up.values.states()[child as usize])
        });
        assert_eq!(up.values.states()[p as usize], product, "{what}: up at {p}");
        let above = match tree.parent(p) {
            None => value(p),
            Some(parent) => MATRIX.combine(down.values.states()[parent as usize], value(p)),
        };
        assert_eq!(down.values.states()[p as usize], above, "{what}: down at {p}");
    }
    (up.rounds, machine.most_received())
}

#[test]
fn equal_to_the_definition() {
    for shape in Shape::FREE {
        for n in 1..=100 {
            for seed in 0..4 {
                check_tree(&tree(shape, n, seed), seed, &format!("{shape} {n} {seed}"));
            }
        }
    }
}

#[test]
fn scratch_costs() {
    for shape in Shape::FREE {
        for (k, seed) in [8,12,16]
            .into_iter()
            .flat_map(|k| (1..=1).map(move |s| (k, s)))
            .chain([(18, 1), (18, 2), (18, 3), (18, 4), (20, 1), (20, 2), (22, 1)])
        {
            let n = 1usize << k;
            let tree = tree(shape, n, seed);
            let curve = CurveKind::Hilbert.fitting(n as u64).unwrap();
            let params = MachineParams { seed, links: false, ..MachineParams::default() };
            let build = || Machine::on_curve(&curve, n, params).unwrap();
            let kin = kin(&mut build(), &tree).unwrap();
            let (mut a, mut b) = (build(), build());
            let ones = || Memory::new(1 << k, |_| 1);
            let up = leaffix(&mut a, "up", Sum::<u64>::new(), &kin, ones()).unwrap();
            let down = rootfix(&mut b, "down", Sum::<u64>::new(), &kin, ones()).unwrap();
            let f = |m: &Machine, r: u32| {
                let c = m.costs();
                format!(
                    "{:.2} depth {} {:.2} rounds {r} dist {:.1} words {} recv {}",
                    c.energy as f64 / n as f64,
                    c.depth,
                    f64::from(c.depth) / f64::from(k),
                    c.distance as f64 / (n as f64).sqrt(),
                    m.words_used(),
                    m.most_received()
                )
            };
            println!("{shape:14} {k} up {}; down {}", f(&a, up.rounds), f(&b, down.rounds));
        }
    }
}
