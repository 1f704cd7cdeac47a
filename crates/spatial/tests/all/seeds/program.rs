//! What is run with thirty seeds, and what is measured of it.

use crate::diagonals::{aligned, length, longest};
use crate::lca::announce_in;
use crate::published::costliest_round;
use palmette_core::generate::{Shape, generate, shuffle};
use palmette_core::operator::Sum;
use palmette_core::random::mixed;
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};
use palmette_spatial::Cell;
use palmette_spatial::collective::Range;
use palmette_spatial::curve::CurveKind;
use palmette_spatial::local::{broadcast, construct, families, virtual_tree};
use palmette_spatial::machine::{Given, Machine, MachineParams, Memory};
use palmette_spatial::program::creation::{create, creation_words};
use palmette_spatial::program::lca::{Batch, LcaParams, lowest_common_ancestors};
use palmette_spatial::program::list_ranking::{Element, rank};
use palmette_spatial::program::pram::{
    LEAFFIX_BY_TOUR_WORDS, leaffix_by_pram, leaffix_by_pram_words, leaffix_by_tour,
};
use palmette_spatial::program::tour::{TOUR_WORDS, euler_tour, links_of};
use palmette_spatial::program::treefix::{leaffix, rootfix};
use palmette_spatial::program::{Method, kin};
use rayon::prelude::*;

pub(super) const SEEDS: u64 = 30;

/// Shapes whose vertices have at most two children.
pub(super) const BOUNDED: [Shape; 7] = [
    Shape::Path,
    Shape::Caterpillar,
    Shape::Perfect,
    Shape::Binary,
    Shape::FullBinary,
    Shape::Bst,
    Shape::Phylogeny,
];

/// Distance-bound curves, and Z.
const CURVES: [CurveKind; 7] = [
    CurveKind::Hilbert,
    CurveKind::Moore,
    CurveKind::BetaOmega,
    CurveKind::Gilbert,
    CurveKind::Peano,
    CurveKind::HIndex,
    CurveKind::Z,
];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Program {
    /// One message to every child, along the virtual tree.
    Messages,
    VirtualTree,
    ListRanking,
    EulerTour,
    Creation,
    Leaffix,
    Rootfix,
    /// The costliest round of the published contraction.
    Compact,
    /// News in a hundred random ranges.
    News,
    Ancestors,
    /// The same without barriers between layers.
    Unbarred,
    /// Sums over subtrees without a layout: pointer jumping, and a ranking of the tour.
    Jumping,
    TourSums,
}

/// By shape, the values of one figure over seeds, ascending.
pub(super) type ByShape = Vec<(Shape, Vec<f64>)>;

impl Program {
    /// Its name in docs/theorems.md.
    pub(super) fn name(self) -> &'static str {
        match self {
            Program::Messages => "messages to children (Theorems 1 and 2)",
            Program::VirtualTree => "local messages (Lemma 9, Theorem 3)",
            Program::ListRanking => "list ranking (Theorem 5)",
            Program::EulerTour => "Euler tour (Corollary 2)",
            Program::Creation => "layout creation (Theorem 4)",
            Program::Leaffix => "leaffix (Lemmas 11 and 12)",
            Program::Rootfix => "rootfix, any shape (Lemma 12)",
            Program::Compact => "a round of COMPACT, any shape (Lemma 10)",
            Program::News => "news in a range (Lemma 13)",
            Program::Ancestors => "lowest common ancestors (Theorem 6)",
            Program::Unbarred => "the same without barriers",
            Program::Jumping => "sums by pointer jumping",
            Program::TourSums => "sums by ranking the tour",
        }
    }

    /// Names of the figures that [`Program::run`] gives.
    pub(super) fn figures(self) -> &'static [&'static str] {
        match self {
            Program::Messages => &[
                "energy / n, Hilbert",
                "energy / n, Moore",
                "energy / n, βΩ",
                "energy / n, Gilbert",
                "energy / n, Peano",
                "energy / n, H-index",
                "energy / n, Z",
                "bound by blocks / n (Corollary 1)",
                "longest diagonals / n, Z (Lemma 7)",
            ],
            Program::VirtualTree => &["finding it: energy / n", "broadcast: energy / n"],
            Program::ListRanking => &["energy / n^1.5", "depth / log n", "rounds / log n"],
            Program::EulerTour => &["energy / n^1.5", "depth / log 2n", "rounds / log 2n"],
            Program::Creation => &["energy / n^1.5", "depth / log² n", "rounds / log 2n"],
            Program::Leaffix | Program::Rootfix => {
                &["energy / n", "depth / log n", "rounds / log n"]
            }
            Program::Compact => &["energy / n", "messages / n", "depth"],
            Program::News => {
                &["energy / m, Hilbert", "energy without two jumps / m, Z", "depth - log m / 2"]
            }
            Program::Ancestors | Program::Unbarred => &["energy / (n log n)", "depth / log² n"],
            Program::Jumping | Program::TourSums => &["energy / n^1.5", "depth / log n"],
        }
    }

    fn shapes(self) -> &'static [Shape] {
        match self {
            Program::ListRanking | Program::News => &[Shape::Path],
            Program::Jumping | Program::TourSums => &[Shape::Random],
            _ => &Shape::FREE,
        }
    }

    /// Whether it could be given anything.
    pub(super) fn takes_gifts(self) -> bool {
        use Program::*;
        !matches!(self, Messages | VirtualTree | Leaffix | Rootfix | Compact | News)
    }

    /// The words that it states.
    fn words(self, n: usize) -> usize {
        match self {
            Program::Messages | Program::VirtualTree => Machine::WORDS,
            // On machines of their own.
            Program::Compact | Program::News => Machine::WORDS,
            Program::ListRanking => Method::Ours.rank_words::<1>(),
            Program::EulerTour => TOUR_WORDS,
            Program::Creation => creation_words(n),
            Program::Leaffix => Method::Ours.leaffix_words::<Sum<u64>>(),
            Program::Rootfix => Method::Ours.rootfix_words::<Sum<u64>>(),
            Program::Ancestors => LcaParams::default().words(n),
            Program::Unbarred => LcaParams { barriers: false }.words(n),
            Program::Jumping => leaffix_by_pram_words::<Sum<i64>>(n),
            Program::TourSums => LEAFFIX_BY_TOUR_WORDS,
        }
    }

    /// Runs on 2^k vertices.
    pub(super) fn run(self, shape: Shape, k: u32, seed: u64, given: Given) -> Vec<f64> {
        let (n, log) = (1usize << k, f64::from(k));
        let machine = |n: usize| {
            let params = MachineParams { seed, given, links: false, ..MachineParams::default() };
            let params = params.stating(self.words(n));
            Machine::on_curve(&CurveKind::Hilbert.fitting(n as u64).unwrap(), n, params).unwrap()
        };
        let mut own = machine(n);
        let size = n as f64;
        let [linear, n_root_n] = [size, size.powf(1.5)];
        let of =
            |machine: &Machine| (machine.costs().energy as f64, f64::from(machine.costs().depth));
        match self {
            Program::Messages => {
                let links = virtual_tree(&tree(shape, n, seed, false));
                let energy = |curve: CurveKind| -> f64 {
                    let mut cells = vec![Cell::default(); n];
                    curve.fitting(n as u64).unwrap().cells(0, &mut cells);
                    let far = |a: Cell, b: Cell| a.x.abs_diff(b.x) + a.y.abs_diff(b.y);
                    let parents = links.iter().zip(&cells).filter(|(link, _)| link.parent != NONE);
                    let far = parents.map(|(link, &at)| far(at, cells[link.parent as usize]));
                    far.map(u64::from).sum::<u64>() as f64
                };
                let of_links = |cost: fn(u32, u32) -> u64| -> f64 {
                    let parents = (0u32..).zip(&links).filter(|(_, link)| link.parent != NONE);
                    parents.map(|(v, link)| cost(link.parent, v)).sum::<u64>() as f64
                };
                let blocks = of_links(aligned);
                let diagonals = of_links(|parent, v| length(longest(parent, v)));
                let curves = CURVES.map(energy).into_iter();
                curves.chain([blocks, diagonals]).map(|energy| energy / linear).collect()
            }
            Program::VirtualTree => {
                let links = construct(&mut own, &families(&tree(shape, n, seed, false))).unwrap();
                let mut other = machine(n);
                broadcast(&mut other, "down", &links, Memory::new(n, |p| p)).unwrap();
                vec![of(&own).0 / linear, of(&other).0 / linear]
            }
            Program::ListRanking => {
                let order = tree(shape, n, seed, true).vertices().to_vec();
                let mut elements = vec![[Element::ALONE]; n];
                for pair in order.windows(2) {
                    elements[pair[0] as usize][0].successor = pair[1];
                    elements[pair[1] as usize][0].predecessor = pair[0];
                }
                let rounds = rank(&mut own, "list", elements.into()).unwrap().rounds;
                vec![of(&own).0 / n_root_n, of(&own).1 / log, f64::from(rounds) / log]
            }
            Program::EulerTour => {
                let links = links_of(&tree(shape, n, seed, true)).unwrap();
                let rounds = euler_tour(&mut own, "tour", &links).unwrap().rounds;
                let log = log + 1.0;
                vec![of(&own).0 / n_root_n, of(&own).1 / log, f64::from(rounds) / log]
            }
            Program::Creation => {
                let links = links_of(&tree(shape, n, seed, true)).unwrap();
                let created = create(&mut own, &links).unwrap();
                let rounds = created.rounds.iter().copied().max().unwrap_or(0);
                let depth = of(&own).1 / (log * log);
                vec![of(&own).0 / n_root_n, depth, f64::from(rounds) / (log + 1.0)]
            }
            Program::Leaffix | Program::Rootfix => {
                // The virtual tree is Theorem 3's: not counted here.
                let family = kin(&mut machine(n), &tree(shape, n, seed, false)).unwrap();
                let run = if self == Program::Leaffix { leaffix } else { rootfix };
                let ones = Memory::new(n, |_| 1);
                let fold = run(&mut own, "fold", Sum::<u64>::new(), &family, ones).unwrap();
                let (energy, depth) = of(&own);
                vec![energy / linear, depth / log, f64::from(fold.rounds) / log]
            }
            Program::Compact => costliest_round(shape, k, seed).into(),
            Program::News => {
                let mut most = [f64::MIN; 3];
                for i in 0..100 {
                    let random = |what: u64| mixed(seed << 32 | what << 16 | i);
                    let first = random(0) % n as u64;
                    let longest = (n as u64 - first).min(1 << (i % (u64::from(k) + 1)));
                    let end = first + 1 + random(1) % longest;
                    let range = Range::new(first as u32, end as u32);
                    let length = f64::from(range.len());
                    let hilbert = announce_in(CurveKind::Hilbert, range, n);
                    let z = announce_in(CurveKind::Z, range, n);
                    let at_home = z.energy.saturating_sub(2 * u64::from(z.longest));
                    let found = [
                        hilbert.energy as f64 / length,
                        at_home as f64 / length,
                        f64::from(hilbert.depth.max(z.depth)) - length.log2() / 2.0,
                    ];
                    most.iter_mut().zip(found).for_each(|(most, found)| *most = most.max(found));
                }
                most.to_vec()
            }
            Program::Ancestors | Program::Unbarred => {
                let tree = tree(shape, n, seed, false);
                let position = |i: u64| (mixed(seed << 32 | i) % n as u64) as u32;
                let pairs: Vec<(u32, u32)> =
                    (0..n as u64).map(|i| (position(2 * i), position(2 * i + 1))).collect();
                let batch = Batch::new(&tree, &pairs, given).unwrap();
                let mut own = machine(batch.tree().len());
                let family = kin(&mut own, batch.tree()).unwrap();
                let params = LcaParams { barriers: self == Program::Ancestors };
                lowest_common_ancestors(&mut own, &family, &batch, params).unwrap();
                vec![of(&own).0 / (linear * log), of(&own).1 / (log * log)]
            }
            Program::Jumping => {
                let links = links_of(&tree(shape, n, seed, true)).unwrap();
                let ones = Memory::new(n, |_| 1i64);
                leaffix_by_pram(&mut own, Sum::new(), &links, ones).unwrap();
                vec![of(&own).0 / n_root_n, of(&own).1 / log]
            }
            Program::TourSums => {
                let links = links_of(&tree(shape, n, seed, true)).unwrap();
                leaffix_by_tour(&mut own, &links, Memory::new(n, |_| 1)).unwrap();
                vec![of(&own).0 / n_root_n, of(&own).1 / log]
            }
        }
    }

    /// By figure and shape, its values over seeds, ascending.
    pub(super) fn study(self, k: u32, given: Given) -> Vec<ByShape> {
        let seeds = |&shape: &Shape| {
            let run = |seed: u64| self.run(shape, k, seed, given);
            (shape, (1..=SEEDS).into_par_iter().map(run).collect())
        };
        let runs: Vec<(Shape, Vec<Vec<f64>>)> = self.shapes().iter().map(seeds).collect();
        let figure = |figure: usize| {
            let of = |(shape, runs): &(Shape, Vec<Vec<f64>>)| {
                let mut values: Vec<f64> = runs.iter().map(|run| run[figure]).collect();
                values.sort_by(f64::total_cmp);
                (*shape, values)
            };
            runs.iter().map(of).collect()
        };
        (0..self.figures().len()).map(figure).collect()
    }
}

fn tree(shape: Shape, n: usize, seed: u64, shuffled: bool) -> Tree {
    let parents = generate(shape, n, seed).unwrap();
    let parents = if shuffled { shuffle(&parents, seed) } else { parents };
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(&parents, params).unwrap()
}

/// The median and the 99th percentile of ascending values, by nearest rank: of thirty, the
/// fifteenth and the largest.
pub(crate) fn spread(values: &[f64]) -> [f64; 2] {
    [50, 99].map(|percent| values[(values.len() * percent).div_ceil(100) - 1])
}

/// The shape whose 99th percentile is largest, with its median and that.
pub(super) fn worst(by_shape: &[(Shape, Vec<f64>)]) -> (Shape, [f64; 2]) {
    let spreads = by_shape.iter().map(|(shape, values)| (*shape, spread(values)));
    spreads.max_by(|a, b| a.1[1].total_cmp(&b.1[1])).unwrap()
}
