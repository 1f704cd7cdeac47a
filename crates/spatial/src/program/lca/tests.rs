use super::*;
use crate::collective::Range;
use crate::collective::testing::{PATTERNS, Random};
use crate::curve::CurveKind;
use crate::machine::{Given, MachineParams};
use crate::program::kin;
use crate::testing::{every_delivery, shape};
use palmette_core::generate::{Shape, generate};
use palmette_core::tree::SiblingOrder;
use palmette_core::{NONE, Tree, TreeParams};

/// What a processor receives in one step, at most.
const RECEIVED: u32 = 8;

/// Copies of vertices are given, or nothing is.
const COPIES: Given = Given::NOTHING.with(Gift::Queries);

fn light_first(parents: &[u32]) -> Tree {
    let params = TreeParams { siblings: SiblingOrder::LightFirst, ..TreeParams::default() };
    Tree::with_params(parents, params).unwrap()
}

fn tree(shape: Shape, n: usize, seed: u64) -> Tree {
    light_first(&generate(shape, n, seed).unwrap())
}

fn random(x: u64) -> u64 {
    crate::machine::mix(x)
}

/// Pairs of positions below `n`.
fn random_pairs(n: usize, count: usize, seed: u64) -> Vec<(u32, u32)> {
    let position = |k: usize| (random(seed ^ random(k as u64)) % n as u64) as u32;
    (0..count).map(|k| (position(2 * k), position(2 * k + 1))).collect()
}

/// The lowest common ancestor by walking up, first from the deeper vertex.
fn walk(tree: &Tree, depths: &[u32], (mut u, mut v): (u32, u32)) -> u32 {
    while u != v {
        if depths[u as usize] < depths[v as usize] {
            std::mem::swap(&mut u, &mut v);
        }
        u = tree.parent(u).unwrap();
    }
    u
}

fn machine_with(n: usize, curve: CurveKind, params: MachineParams) -> Machine {
    let params = params.stating(LCA_WORDS);
    Machine::on_curve(&curve.fitting(n as u64).unwrap(), n, params).unwrap()
}

fn machine(n: usize, curve: CurveKind, seed: u64) -> Machine {
    machine_with(n, curve, MachineParams { links: false, seed, ..MachineParams::default() })
}

fn run_with(
    batch: &Batch<'_>,
    curve: CurveKind,
    params: MachineParams,
    barriers: bool,
) -> (Answers, Machine) {
    let (n, lca) = (batch.tree().len(), LcaParams { barriers });
    let mut machine = machine_with(n, curve, params.stating(lca.words(n)));
    let kin = kin(&mut machine.keep_words(QUERY_WORDS), batch.tree()).unwrap();
    let answers = lowest_common_ancestors(&mut machine, &kin, batch, lca).unwrap();
    (answers, machine)
}

fn run(batch: &Batch<'_>, curve: CurveKind, seed: u64, barriers: bool) -> (Answers, Machine) {
    let given = if batch.is_given() { COPIES } else { Given::NOTHING };
    let params = MachineParams { links: false, seed, given, ..MachineParams::default() };
    run_with(batch, curve, params, barriers)
}

fn assert_right(tree: &Tree, pairs: &[(u32, u32)], answers: &Answers) {
    let depths = tree.depths();
    assert_eq!(answers.lca.len(), pairs.len());
    for (&pair, &lca) in pairs.iter().zip(&answers.lca) {
        assert_eq!(lca, walk(tree, &depths, pair), "{pair:?}");
    }
}

/// Checks the answers to all pairs, with blocks of queries and with copies of vertices.
fn check(tree: &Tree, pairs: &[(u32, u32)]) {
    for given in [Given::NOTHING, COPIES] {
        let batch = Batch::new(tree, pairs, given).unwrap();
        let (answers, machine) = run(&batch, CurveKind::Hilbert, 1, true);
        assert_eq!(run(&batch, CurveKind::Hilbert, 1, false).0, answers);
        assert_right(tree, pairs, &answers);
        assert!(machine.most_received() <= RECEIVED);
        assert!(answers.layers <= (batch.tree().len() + 1).ilog2());
    }
}

/// The pairs of every shape, few and many at a vertex, whatever the delays.
#[test]
fn answers_do_not_depend_on_delays() {
    every_delivery(PATTERNS, |params| {
        // Kinds of delays take turns: everything else is drawn, so that all of them meet.
        let seed = params.seed;
        let mut random = Random(seed);
        let shape = shape(&params);
        let n = 1 + random.below(40) as usize;
        let tree = tree(shape, n, seed);
        let mut pairs = random_pairs(n, n, seed);
        // One vertex is in many of them: blocks are needed, and now and then a second wave.
        let (crowd, vertex) = (random.below(3) as usize * n, random.below(n as u64) as u32);
        pairs.extend(random_pairs(n, crowd, !seed).into_iter().map(|(u, _)| (vertex, u)));
        let given = if random.below(5) == 0 { COPIES } else { Given::NOTHING };
        let batch = Batch::new(&tree, &pairs, given).unwrap();
        let params = MachineParams { given, ..params };
        let barriers = random.below(2) == 0;
        let (answers, _) = run_with(&batch, CurveKind::Hilbert, params, barriers);
        assert_right(&tree, &pairs, &answers);
    });
}

#[test]
fn all_pairs_of_small_trees() {
    for shape in Shape::FREE {
        for n in 1..=9 {
            let tree = tree(shape, n, n as u64);
            let pairs: Vec<(u32, u32)> =
                (0..n as u32).flat_map(|u| (0..n as u32).map(move |v| (u, v))).collect();
            check(&tree, &pairs);
        }
    }
}

#[test]
fn random_pairs_on_every_shape() {
    for shape in Shape::FREE {
        for n in 1..=200 {
            for seed in 0..2 {
                let tree = tree(shape, n, seed);
                check(&tree, &random_pairs(n, n, seed + 7 * n as u64));
            }
        }
    }
}

#[test]
fn many_queries_at_one_vertex() {
    for shape in Shape::FREE {
        let n = 50;
        let tree = tree(shape, n, 3);
        for position in [0, 1, 17, 49] {
            let pairs: Vec<(u32, u32)> = (0..200).map(|k| (position, k % n as u32)).collect();
            check(&tree, &pairs);
        }
    }
}

#[test]
fn the_root_a_vertex_itself_and_pairs_again() {
    for shape in Shape::FREE {
        let n = 40;
        let tree = tree(shape, n, 5);
        check(&tree, &(0..n as u32).flat_map(|v| [(0, v), (v, 0), (v, v)]).collect::<Vec<_>>());
        check(&tree, &[(7, 7); 23]);
        check(&tree, &[[(12, 33); 9], [(33, 12); 9]].concat());
        check(&tree, &[]);
    }
}

#[test]
fn large_trees() {
    let n = 1 << 14;
    for shape in [Shape::Random, Shape::Preferential, Shape::Binary] {
        check(&tree(shape, n, 1), &random_pairs(n, n, 2));
    }
    // One vertex becomes a path of 5000, and each of the others one of five.
    let pairs: Vec<(u32, u32)> = (0..20_000).map(|k| (123, k % 1000)).collect();
    check(&tree(Shape::Random, 1000, 1), &pairs);
}

#[test]
fn trees_in_any_order_of_siblings() {
    for n in 1..60 {
        let parents = generate(Shape::Random, n, n as u64).unwrap();
        check(&Tree::from_parents(&parents).unwrap(), &random_pairs(n, n, 1));
    }
}

#[test]
fn answers_depend_on_nothing_else() {
    let n = 3000;
    let tree = tree(Shape::Random, n, 1);
    let pairs = random_pairs(n, n, 1);
    let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
    let (expected, _) = run(&batch, CurveKind::Hilbert, 1, true);
    for curve in [CurveKind::Hilbert, CurveKind::Z, CurveKind::Peano, CurveKind::HIndex] {
        let mut costs = None;
        for threads in [1, 2, 3] {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
            let (answers, machine) = pool.install(|| run(&batch, curve, 9, true));
            assert_eq!((&answers.lca, answers.layers), (&expected.lca, expected.layers));
            assert_eq!(*costs.get_or_insert(machine.costs()), machine.costs());
        }
    }
}

/// Every answer that any vertex or block has is right, and many queries are answered twice.
#[test]
fn both_ends_agree() {
    let n = 2000;
    let tree = tree(Shape::Random, n, 1);
    let pairs = random_pairs(n, n, 4);
    let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
    let mut machine = machine(n, CurveKind::Hilbert, 1);
    let kin = kin(&mut machine, &tree).unwrap();
    let subtrees = subtree_ranges(&mut machine, &kin).unwrap();
    let paths = decompose(&mut machine, &kin, subtrees).unwrap();
    let wave = batch.waves().next().unwrap();
    let wave = answer(&mut machine, &paths, wave, LcaParams::default()).unwrap();
    let depths = tree.depths();
    let mut answers = [0, 0];
    let own = (0u32..).zip(wave.queries.states()).map(|(me, queries)| (0, me, queries));
    let held = wave.held.states().iter().map(|held| (1, held.owner, &held.queries));
    for (which, me, queries) in own.chain(held) {
        for (&other, &lca) in queries.other.iter().zip(&queries.lca) {
            if lca != NONE {
                assert_eq!(lca, walk(&tree, &depths, (me, other)));
                answers[which] += 1;
            }
        }
    }
    let all = answers.iter().sum::<usize>();
    assert!(answers[1] > 50 && pairs.len() + 50 < all && all < 2 * pairs.len(), "{answers:?}");
}

#[test]
fn paths_and_covers_are_those_of_the_tree() {
    for (shape, n) in Shape::FREE.into_iter().flat_map(|shape| [1, 2, 30, 333].map(|n| (shape, n)))
    {
        let tree = tree(shape, n, 1);
        let mut machine = machine(n, CurveKind::Hilbert, 1);
        let kin = kin(&mut machine, &tree).unwrap();
        let subtrees = subtree_ranges(&mut machine, &kin).unwrap();
        let range = |p: u32| Range::new(p, tree.end(p));
        assert!((0u32..).zip(subtrees.ranges.states()).all(|(p, &found)| found == range(p)));

        // The heads of the paths between a vertex and the root, from the root down.
        let mut heads: Vec<Vec<u32>> = Vec::new();
        for p in 0..n as u32 {
            let above = tree.parent(p);
            let mut path = above.map_or_else(Vec::new, |w| heads[w as usize].clone());
            if above.is_some_and(|w| tree.children(w).last() != Some(p)) {
                path.push(p);
            }
            heads.push(path);
        }
        let paths = decompose(&mut machine, &kin, subtrees).unwrap();
        for (p, vertex) in (0u32..).zip(paths.vertices.states()) {
            let heads = &heads[p as usize];
            assert_eq!(vertex.layer as usize, heads.len());
            assert_eq!(vertex.is_light(), heads.last() == Some(&p));
        }
        assert_eq!(paths.layers as usize, 1 + heads.iter().map(Vec::len).max().unwrap());

        let layers = paths.layers;
        let mut cover = SubtreeCover::new(paths, LcaParams::default());
        for turn in 1..layers as usize {
            let forks = cover.turn(&mut machine).unwrap().unwrap();
            assert!(forks.blocks.is_none());
            for (heads, &fork) in heads.iter().zip(forks.vertices.states()) {
                let expected = heads
                    .get(turn - 1)
                    .map(|&x| Fork { subtree: range(x), parent: range(tree.parent(x).unwrap()) });
                assert_eq!(fork, expected);
            }
        }
        assert!(cover.turn(&mut machine).unwrap().is_none());
    }
}

#[test]
fn splitting_is_linear_and_only_where_needed() {
    let tree = tree(Shape::Random, 1000, 1);
    let four: Vec<(u32, u32)> = (0..2000).map(|k| (k % 1000, (k * 7 + 1) % 1000)).collect();
    let batch = Batch::new(&tree, &four, COPIES).unwrap();
    assert!(!batch.is_split() && std::ptr::eq(batch.tree(), &tree));

    let many: Vec<(u32, u32)> = (0..1_000_000).map(|k| (77, k % 1000)).collect();
    let batch = Batch::new(&tree, &many, COPIES).unwrap();
    assert!(batch.is_split() && batch.tree().has_siblings(SiblingOrder::LightFirst));
    // All at vertex 77, and a thousand at each other one; a thousand are 77 with itself.
    assert_eq!(batch.tree().len(), 250_000 + 999 * 250);
    let wave = batch.waves().next().unwrap();
    let queries = wave.queries.states();
    for (me, here) in (0u32..).zip(queries) {
        for &other in here.other.iter().filter(|&&other| other != NONE) {
            assert!(queries[other as usize].other.contains(&me));
            assert!(batch.origin(me) == 77 || batch.origin(other) == 77);
        }
    }
    let batch = Batch::new(&tree, &many, Given::NOTHING).unwrap();
    assert!(!batch.is_split());
    assert_eq!(batch.waves().count(), 500);
}

/// Blocks lie in the order of their vertices, and have what vertices have no room for.
#[test]
fn blocks_hold_the_rest() {
    for seed in 0..50 {
        let n = 1 + random(seed) as usize % 60;
        let tree = tree(Shape::Random, n, seed);
        let pairs = random_pairs(n, seed as usize * n / 12, seed);
        let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
        let mut ends = vec![0; n];
        for wave in batch.waves() {
            let more = (0..).zip(wave.more.states());
            let owners = more.flat_map(|(v, &more)| std::iter::repeat_n(v, more as usize));
            let count = |others: &[u32]| others.iter().filter(|&&o| o != NONE).count();
            assert_eq!(owners.clone().count(), wave.input.len());
            owners.zip(&wave.input).for_each(|(v, others): (usize, _)| ends[v] += count(others));
            for (ends, queries) in ends.iter_mut().zip(wave.queries.states()) {
                *ends += count(&queries.other);
            }
            assert!(wave.held.states().iter().all(|held| held.owner == NONE));
        }
        let at = |p: u32, &(u, v): &(u32, u32)| usize::from(u == p) + usize::from(v == p && u != v);
        for (p, ends) in (0..).zip(ends) {
            assert_eq!(ends, pairs.iter().map(|pair| at(p, pair)).sum::<usize>());
        }
    }
}

/// What a vertex has no room for gets elsewhere by messages, wherever its vertex is.
#[test]
fn every_block_is_sent_from_its_vertex() {
    let (n, vertex) = (256, 77);
    let tree = tree(Shape::Random, n, 1);
    let pairs: Vec<(u32, u32)> = (0..n as u32).map(|other| (vertex, other)).collect();
    let batch = Batch::new(&tree, &pairs, Given::NOTHING).unwrap();
    let (answers, machine) = run(&batch, CurveKind::Hilbert, 1, true);
    assert_right(&tree, &pairs, &answers);
    // A vertex keeps four of its 256 queries, the others one each.
    let spread = crate::collective::Spread::new(63, n as u32).unwrap();
    let addresses = (0..63).map(|block| spread.address(block)).filter(|&to| to != vertex);
    let cells = CurveKind::Hilbert.fitting(n as u64).unwrap();
    let far = |to: u32| cells.cell(to.into()).distance(cells.cell(vertex.into()));
    let sent = machine.ledger().phase("queries to blocks").unwrap();
    assert_eq!(sent.messages, addresses.clone().count() as u64);
    assert_eq!(sent.energy, addresses.map(far).sum::<u64>());
    assert_eq!(sent.energy_words, 7 * sent.energy);
    assert_eq!(sent.depth, 1);
}

#[test]
fn copies_form_paths() {
    let tree = tree(Shape::Perfect, 63, 1);
    let pairs = random_pairs(63, 400, 1);
    let batch = &Batch::new(&tree, &pairs, COPIES).unwrap();
    let new = batch.tree();
    let copies = |p: u32| (0..new.len() as u32).filter(move |&a| batch.origin(a) == p);
    for p in 0..63 {
        let all: Vec<u32> = copies(p).collect();
        let ends = pairs.iter().map(|&(u, v)| usize::from(u == p) + usize::from(v == p && u != v));
        assert_eq!(all.len(), ends.sum::<usize>().div_ceil(QUERIES).max(1));
        assert!(all.windows(2).all(|w| new.parent(w[1]) == Some(w[0])));
        assert_eq!(new.parent(all[0]), tree.parent(p).and_then(|w| copies(w).next_back()));
    }
}

#[test]
fn what_cannot_be_asked_is_refused() {
    let small = tree(Shape::Path, 3, 1);
    let error = Batch::new(&small, &[(0, 1), (2, 3)], COPIES).unwrap_err();
    assert_eq!(error.to_string(), "query 1 names position 3, but the tree has only 3 vertices");
    let params = TreeParams { forest: true, ..TreeParams::default() };
    for (parents, roots) in [(vec![], 0), (vec![NONE, NONE], 2)] {
        let forest = Tree::with_params(&parents, params).unwrap();
        let error = Batch::new(&forest, &[], Given::NOTHING).unwrap_err();
        assert_eq!(error, ProgramError::Forest { roots });
    }
    let batch = Batch::new(&small, &[(1, 2)], COPIES).unwrap();
    let mut other = machine(3, CurveKind::Hilbert, 1);
    let three = kin(&mut other, &small).unwrap();
    let error =
        lowest_common_ancestors(&mut other, &three, &batch, LcaParams::default()).unwrap_err();
    let text = "the machine and its input do not agree on whether `queries` is given for free";
    assert_eq!(error.to_string(), text);
    let mut machine = machine(4, CurveKind::Hilbert, 1);
    let four = kin(&mut machine, &tree(Shape::Path, 4, 1)).unwrap();
    let error =
        lowest_common_ancestors(&mut machine, &four, &batch, LcaParams::default()).unwrap_err();
    assert_eq!(error, MachineError::Processors { expected: 4, actual: 3 }.into());
}
