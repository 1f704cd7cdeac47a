//! Passes over values in the order of the user's vertices, against the engines by position.

use crate::engines::random::Random;
use crate::engines::trees;
use palmette_core::generate::shuffle;
use palmette_core::operator::{Operator, RollingHash, Sum};
use palmette_core::tree::{SiblingOrder, VertexOrder};
use palmette_core::{Monoid, NONE, Tree, TreeParams};
use palmette_tree::lca::{Distances, Lca};
use palmette_tree::leaffix::leaffix;
use palmette_tree::rootfix::{self, rootfix};
use palmette_tree::sum::{SumParams, Summation, tree_sums, vertex_sums};
use palmette_tree::{
    Direction, Engine, Scope, TreefixParams, by_vertex, sum_columns, sums_alone, sums_by_vertex,
};

const DIRECTIONS: [Direction; 2] = [Direction::Leaffix, Direction::Rootfix];
const SCOPES: [Scope; 2] = [Scope::Inclusive, Scope::Exclusive];

fn made(parents: &[u32], siblings: SiblingOrder) -> Tree {
    Tree::with_params(parents, TreeParams { forest: true, siblings }).unwrap()
}

/// By position: values moved there, the pass, answers moved back.
fn moved<O: Operator>(
    tree: &Tree,
    direction: Direction,
    values: &[O::Elem],
    op: &O,
    params: TreefixParams,
) -> Vec<O::Elem> {
    let values = tree.to_positions(values).unwrap();
    let found = match direction {
        Direction::Leaffix => leaffix(tree, &values, op, params),
        Direction::Rootfix => rootfix(tree, &values, op, params),
    };
    tree.to_vertices(&found.unwrap()).unwrap()
}

fn as_it_is<O: Operator>(
    tree: &Tree,
    direction: Direction,
    values: &[O::Elem],
    op: &O,
    params: TreefixParams,
) -> Vec<O::Elem> {
    let mut out = vec![op.identity(); tree.len()];
    by_vertex(tree, tree.vertex_order(), direction, values, op, params, &mut out).unwrap();
    out
}

/// Numberings of a shape: in preorder, with parents first, shuffled, backwards.
fn numberings(parents: &[u32]) -> Vec<Vec<u32>> {
    let tree = made(parents, SiblingOrder::AsGiven);
    let levels = tree.levels();
    let mut place = vec![0u32; tree.len()];
    let mut next = 0;
    for level in 0..levels.len() {
        for &p in levels.of(level as u32) {
            place[p as usize] = next;
            next += 1;
        }
    }
    let mut by_level = vec![NONE; tree.len()];
    for (i, &p) in tree.parents().iter().enumerate() {
        if p != NONE {
            by_level[place[i] as usize] = place[p as usize];
        }
    }
    let backwards = trees::reversed(&by_level);
    vec![tree.parents().to_vec(), by_level, shuffle(parents, 3), backwards]
}

#[test]
fn orders_are_noticed() {
    let order = |parents: &[u32]| match made(parents, SiblingOrder::AsGiven).vertex_order() {
        VertexOrder::Preorder => "preorder",
        VertexOrder::ParentsFirst(found) => {
            assert_eq!(found, parents);
            "parents first"
        }
        VertexOrder::Other => "other",
    };
    assert_eq!(order(&[]), "preorder");
    assert_eq!(order(&[NONE, 0, 1, 0]), "preorder");
    assert_eq!(order(&[NONE, 0, 0, 1]), "parents first");
    assert_eq!(order(&[1, NONE]), "other");
    assert_eq!(order(&[NONE, NONE, 0]), "parents first");
    // By size, children may stand otherwise than they are numbered.
    let tree = made(&[NONE, 0, 0, 1], SiblingOrder::LightFirst);
    assert_eq!(tree.vertex_order(), VertexOrder::Other);
    assert_eq!(tree, made(&[NONE, 0, 0, 1], SiblingOrder::LightFirst));
}

fn check(name: &str, parents: &[u32], siblings: SiblingOrder) {
    let tree = made(parents, siblings);
    let (n, mut random) = (tree.len(), Random(11));
    let whole: Vec<i64> = (0..n).map(|_| random.bits() as i64).collect();
    let hash = RollingHash::new(5);
    let letters: Vec<_> = whole.iter().map(|&x| hash.letter(x as u64)).collect();
    let floats: Vec<f64> = whole.iter().map(|&x| x as f64 * 1e-9).collect();
    for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
        for engine in [Engine::Auto, Engine::Sequential, Engine::Threads, Engine::Levels] {
            let params = TreefixParams { scope, engine };
            let what = format!("{name}, {n}: {direction}, {scope}, {engine}");
            let sum = Sum::<i64>::new();
            let found = as_it_is(&tree, direction, &whole, &sum, params);
            assert_eq!(found, moved(&tree, direction, &whole, &sum, params), "{what}");
            let found = as_it_is(&tree, direction, &letters, &hash, params);
            let expected = moved(&tree, direction, &letters, &hash, params);
            assert!(found == expected, "{what}: in another order");
            if engine != Engine::Auto {
                let sum = Sum::<f64>::new();
                let found = as_it_is(&tree, direction, &floats, &sum, params);
                assert_eq!(found, moved(&tree, direction, &floats, &sum, params), "{what}: floats");
            }
        }
        let mut in_preorder = vec![0; n];
        let values = tree.to_positions(&whole).unwrap();
        let (order, sum, params) = (VertexOrder::Preorder, Sum::new(), TreefixParams::default());
        by_vertex(&tree, order, direction, &values, &sum, params, &mut in_preorder).unwrap();
        let expected = moved(&tree, direction, &whole, &sum, params);
        assert_eq!(tree.to_vertices(&in_preorder).unwrap(), expected, "{name}");
    }
}

#[test]
fn every_shape_in_every_order() {
    for n in [0, 1, 2, 3, 17, 200, 9000] {
        for (name, parents) in trees::shapes(n, 2) {
            for parents in numberings(&parents) {
                check(&name, &parents, SiblingOrder::AsGiven);
            }
            check(&name, &shuffle(&parents, 5), SiblingOrder::LightFirst);
        }
    }
}

/// Large enough for `auto` to use blocks; on any number of threads the same bits.
#[test]
fn blocks_in_every_order() {
    let n = Engine::PARALLEL_FROM + 5000;
    let on = |threads: usize, work: &(dyn Fn() -> Vec<u64> + Sync)| {
        rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap().install(work)
    };
    for (k, (name, parents)) in trees::shapes(n, 4).into_iter().enumerate() {
        let mut all = numberings(&parents);
        let parents = all.swap_remove(k % 4);
        let tree = made(&parents, SiblingOrder::AsGiven);
        let mut random = Random(3);
        let values: Vec<f64> = (0..n).map(|_| random.bits() as f64 * 1e-5).collect();
        for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
            let params = TreefixParams { scope, engine: Engine::Auto };
            let bits = || -> Vec<u64> {
                let found = as_it_is(&tree, direction, &values, &Sum::<f64>::new(), params);
                found.into_iter().map(f64::to_bits).collect()
            };
            let one = on(1, &bits);
            assert!(one == on(3, &bits), "{name}: {direction}, {scope} on three threads");
            let params = TreefixParams { scope, engine: Engine::Threads };
            let expected = moved(&tree, direction, &values, &Sum::<f64>::new(), params);
            let found = as_it_is(&tree, direction, &values, &Sum::<f64>::new(), params);
            assert!(found == expected, "{name}: {direction}, {scope}");
        }
    }
}

#[test]
fn columns_are_summed_together() {
    for (n, columns) in [(1, 1), (50, 3), (60, 4), (700, 16), (300, 130)] {
        for (name, parents) in trees::shapes(n, 2) {
            for parents in numberings(&parents) {
                let tree = made(&parents, SiblingOrder::AsGiven);
                let mut random = Random(8);
                let matrix: Vec<i64> = (0..n * columns).map(|_| random.bits() as i64).collect();
                for (direction, scope) in
                    DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s)))
                {
                    let mut sums = vec![7; n * columns];
                    let order = tree.vertex_order();
                    sum_columns(&tree, order, direction, &matrix, columns, scope, &mut sums)
                        .unwrap();
                    for column in 0..columns {
                        let of = |m: &[i64]| -> Vec<i64> {
                            m.iter().skip(column).step_by(columns).copied().collect()
                        };
                        let params = TreefixParams { scope, engine: Engine::Sequential };
                        let expected =
                            moved(&tree, direction, &of(&matrix), &Sum::<i64>::new(), params);
                        assert_eq!(of(&sums), expected, "{name}, {n}: {direction}, {scope}");
                    }
                }
            }
        }
    }
    let tree = made(&[NONE, 0], SiblingOrder::AsGiven);
    let fails = |columns, length| {
        let (order, mut out) = (tree.vertex_order(), vec![0; length]);
        let values = vec![0; length];
        let (up, scope) = (Direction::Leaffix, Scope::Inclusive);
        sum_columns(&tree, order, up, &values, columns, scope, &mut out).is_err()
    };
    assert!(fails(0, 0) && fails(2, 5) && fails(3, 4) && !fails(3, 6));
}

/// Sums of i64 in 128 bits.
struct Exact;

impl Monoid for Exact {
    type Elem = i128;
    fn identity(&self) -> i128 {
        0
    }
    fn combine(&self, left: i128, right: i128) -> i128 {
        left + right
    }
}

impl Operator for Exact {}

/// One column, and three that lie together.
#[test]
fn additions_note_what_goes_wrong() {
    let n = 1700;
    for (name, parents) in trees::shapes(n, 2) {
        for parents in numberings(&parents) {
            let tree = made(&parents, SiblingOrder::AsGiven);
            let (order, mut random) = (tree.vertex_order(), Random(name.len() as u64));
            let mut seen = [0; 2];
            for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
                let what = format!("{name}: {direction}, {scope}");
                let params = TreefixParams { scope, engine: Engine::Auto };
                for large in 0..6 {
                    let mut whole: Vec<i64> = (0..n).map(|_| random.bits() as i64 >> 20).collect();
                    for _ in 0..large {
                        let sign = if random.bits() % 2 == 0 { 1 } else { -1 };
                        whole[random.bits() as usize % n] = sign * (i64::MAX / 2);
                    }
                    let wide: Vec<i128> = whole.iter().map(|&x| x.into()).collect();
                    let exact = moved(&tree, direction, &wide, &Exact, params);
                    let fits = exact.iter().all(|&x| i64::try_from(x).is_ok());
                    let mut sums = vec![0; n];
                    let (_, noted) =
                        sums_by_vertex(&tree, order, direction, &whole, params, &mut sums).unwrap();
                    assert!(fits || noted == Some(true), "{what}: an overflow is missed");
                    assert!(large > 1 || noted == Some(false), "{what}: no two can overflow");
                    seen[usize::from(fits)] += 1;

                    for c in [3, 4] {
                        let row = |x: &i64| [1, *x, 2, 3].into_iter().take(c);
                        let matrix: Vec<i64> = whole.iter().flat_map(row).collect();
                        let mut sums = vec![0; c * n];
                        let doubt =
                            sum_columns(&tree, order, direction, &matrix, c, scope, &mut sums);
                        let doubt = doubt.unwrap();
                        assert!(fits || doubt, "{what}: an overflow is missed in a column");
                        assert!(large > 1 || !doubt, "{what}: no two can overflow in a column");
                    }

                    let scale = f64::MAX / (i64::MAX / 2) as f64;
                    let floats: Vec<f64> = whole.iter().map(|&x| x as f64 * scale).collect();
                    let mut sums = vec![0.0; n];
                    let (_, noted) =
                        sums_by_vertex(&tree, order, direction, &floats, params, &mut sums)
                            .unwrap();
                    let finite = sums.iter().all(|x| x.is_finite());
                    assert!(finite || noted == Some(true), "{what}: infinity is missed");
                    assert!(large > 0 || noted == Some(false), "{what}: all are small");
                    for c in [3, 4] {
                        let row = |&x: &f64| [1.0, 2.0, x, x].into_iter().take(c);
                        let matrix: Vec<f64> = floats.iter().flat_map(row).collect();
                        let mut sums = vec![0.0; c * n];
                        let doubt =
                            sum_columns(&tree, order, direction, &matrix, c, scope, &mut sums);
                        let finite = sums.iter().all(|x| x.is_finite());
                        assert!(finite || doubt.unwrap(), "{what}: infinity is missed in a column");
                    }
                }
            }
            assert!(n < 2 || seen.iter().all(|&times| times > 0), "{name}: both happen");
        }
    }
}

/// On the calling thread, where one would sweep anyway: the same bits; also of narrow integers.
#[test]
fn sums_without_a_pool() {
    for n in [0, 1, 50, 3000, Engine::PARALLEL_FROM + 300] {
        for (k, (name, parents)) in trees::shapes(n, 4).into_iter().enumerate() {
            let all = numberings(&parents);
            let some = if n < 10_000 { &all[..] } else { &all[k % 4..=k % 4] };
            for parents in some {
                let tree = made(parents, SiblingOrder::AsGiven);
                let (order, mut random) = (tree.vertex_order(), Random(3));
                let narrow: Vec<i32> = (0..n).map(|_| random.bits() as i32).collect();
                let whole: Vec<i64> = narrow.iter().map(|&x| x.into()).collect();
                let floats: Vec<f64> = narrow.iter().map(|&x| f64::from(x) * 1e-5).collect();
                for direction in DIRECTIONS {
                    let one = rayon::ThreadPoolBuilder::new().num_threads(1).build().unwrap();
                    let params = TreefixParams::default();
                    let (sum, fsum) = (Sum::<i64>::new(), Sum::<f64>::new());
                    let sums = one.install(|| as_it_is(&tree, direction, &whole, &sum, params));
                    let fsums = one.install(|| as_it_is(&tree, direction, &floats, &fsum, params));
                    let mut found = vec![0; n];
                    let noted = sums_alone(&tree, order, direction, &narrow, 1, &mut found);
                    assert!(noted == Some(false) && found == sums, "{name}, {n}: {direction}");
                    let noted = sums_alone(&tree, order, direction, &whole, 1, &mut found);
                    assert!(noted == Some(false) && found == sums, "{name}, {n}: {direction}");
                    let mut found = vec![0.0; n];
                    let noted = sums_alone(&tree, order, direction, &floats, 1, &mut found);
                    assert!(noted.is_some() || n > 10_000, "small trees are swept");
                    assert!(noted.is_none() || found == fsums, "{name}, {n}: {direction}");
                }
            }
        }
    }
    let tree = made(&[NONE, 0], SiblingOrder::AsGiven);
    let up = |values: &[i64]| {
        let mut out = [0i64; 2];
        sums_alone(&tree, tree.vertex_order(), Direction::Leaffix, values, 1, &mut out)
    };
    assert_eq!(up(&[1]), None);
    assert_eq!(up(&[1, i64::MAX]), Some(true));
}

#[test]
fn what_is_not_finite_is_found_by_vertex() {
    let parents = shuffle(&trees::shapes(500, 1)[0].1, 2);
    let tree = made(&parents, SiblingOrder::AsGiven);
    let mut values: Vec<f64> = (0..500).map(|v| v as f64).collect();
    let sums = |values: &[f64], scope| {
        let params = SumParams { scope, ..SumParams::default() };
        let order = tree.vertex_order();
        let found = vertex_sums(&tree, order, Direction::Leaffix, values, params).unwrap();
        let by_position = tree.to_positions(values).unwrap();
        let expected = tree_sums(&tree, Direction::Leaffix, &by_position, params).unwrap();
        assert_eq!(found.findings, expected.findings);
        found.findings
    };
    for scope in SCOPES {
        assert_eq!(sums(&values, scope).overflows, 0);
        values[17] = f64::NAN;
        values[21] = f64::INFINITY;
        assert_eq!(sums(&values, scope).nan_values, 1);
        values[17] = f64::MAX;
        values[21] = f64::MAX;
        sums(&values, scope);
        values[17] = 0.0;
        values[21] = 0.0;
    }
    let params = SumParams { summation: Summation::Exact, bounds: true, ..SumParams::default() };
    let found =
        vertex_sums(&tree, tree.vertex_order(), Direction::Rootfix, &values, params).unwrap();
    let by_position = tree.to_positions(&values).unwrap();
    let expected = tree_sums(&tree, Direction::Rootfix, &by_position, params).unwrap();
    assert_eq!(tree.to_positions(&found.sums).unwrap(), expected.sums);
    assert_eq!(tree.to_positions(&found.bounds.unwrap()).unwrap(), expected.bounds.unwrap());
}

#[test]
fn rootfix_of_bare_parents() {
    for n in [0, 1, 2, 30, 2000, 60_000] {
        for (name, parents) in trees::shapes(n, 2) {
            for parents in numberings(&parents) {
                let tree = made(&parents, SiblingOrder::AsGiven);
                let mut random = Random(9);
                let values: Vec<i64> = (0..n).map(|_| random.bits() as i64).collect();
                for scope in SCOPES {
                    let sum = Sum::<i64>::new();
                    let found = rootfix::from_parents(&parents, &values, &sum, scope).unwrap();
                    let params = TreefixParams { scope, engine: Engine::Sequential };
                    let expected = moved(&tree, Direction::Rootfix, &values, &sum, params);
                    assert_eq!(found, expected, "{name}, {n}, {scope}");
                }
            }
        }
    }
    let sum = Sum::<i64>::new();
    assert!(rootfix::from_parents(&[1, 2, 0, NONE], &[1; 4], &sum, Scope::Inclusive).is_err());
    assert!(rootfix::from_parents(&[NONE], &[1; 2], &sum, Scope::Inclusive).is_err());
}

#[test]
fn pairs_of_signed_numbers() {
    let parents = shuffle(&trees::cut(&trees::shapes(30_000, 1)[0].1, 3000, 4), 2);
    let tree = made(&parents, SiblingOrder::AsGiven);
    let index = Lca::by_vertex(&tree);
    let mut random = Random(2);
    let pairs: Vec<(u32, u32)> = (0..20_000)
        .map(|_| ((random.bits() % 30_000) as u32, (random.bits() % 30_000) as u32))
        .collect();
    let (u, mut v): (Vec<i64>, Vec<i64>) =
        pairs.iter().map(|&(u, v)| (i64::from(u), i64::from(v))).unzip();
    let signed = |x: Vec<u32>| -> Vec<i64> {
        x.into_iter().map(|x| if x == NONE { -1 } else { x.into() }).collect()
    };
    let mut found = vec![0; pairs.len()];
    index.batch_signed(&u, &v, &mut found).unwrap();
    assert_eq!(found, signed(index.batch(&pairs)));
    assert!(found.contains(&-1), "a forest has pairs without an ancestor");
    index.edge_distances_signed(&u, &v, &mut found).unwrap();
    assert_eq!(found, signed(index.edge_distances(&pairs)));
    let depths: Vec<f64> = (0..30_000).map(|v| f64::from(index.depth(v)) * 0.5).collect();
    let distances = Distances::new(&index, &depths).unwrap();
    let mut lengths = vec![0.0; pairs.len()];
    distances.batch_signed(&u, &v, &mut lengths).unwrap();
    let bits = |x: &[f64]| x.iter().map(|x| x.to_bits()).collect::<Vec<_>>();
    assert_eq!(bits(&lengths), bits(&distances.batch(&pairs)));
    for wrong in [-1, 30_000, i64::MIN] {
        v[19_999] = wrong;
        assert!(index.batch_signed(&u, &v, &mut found).is_err());
    }
}
