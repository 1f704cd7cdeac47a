//! A path, a star and a caterpillar of 3·10^6 vertices with shuffled labels, through every
//! engine, against closed formulas.

use palmette_core::operator::{Operator, Sum};
use palmette_core::{Monoid, NONE, Tree};
use palmette_tree::lca::Lca;
use palmette_tree::{Engine, Scope, TreefixParams, leaffix, rootfix};

const N: u64 = 3_000_000;

/// The last of a sequence of vertices: order counts, and answers are known at once.
struct Last;

impl Monoid for Last {
    type Elem = u32;
    fn identity(&self) -> u32 {
        NONE
    }
    #[inline(always)]
    fn combine(&self, left: u32, right: u32) -> u32 {
        if right == NONE { left } else { right }
    }
}

impl Operator for Last {}

/// A permutation of the vertices: Fisher and Yates, with SplitMix64.
fn permutation(seed: u64) -> Vec<u32> {
    let mut label: Vec<u32> = (0..N as u32).collect();
    let mut state = seed;
    for i in (1..N as usize).rev() {
        state = state.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let x = (state ^ (state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        label.swap(i, ((x ^ (x >> 27)) % (i as u64 + 1)) as usize);
    }
    label
}

/// A shape whose vertices are numbered so that formulas are short: parents, sums and LCAs.
struct Formula {
    parent: fn(u64) -> Option<u64>,
    /// The sum of the numbers below and including a vertex.
    leaffix: fn(u64) -> u64,
    /// The sum of the numbers from the root to a vertex.
    rootfix: fn(u64) -> u64,
    lca: fn(u64, u64) -> u64,
}

/// The sum of `first .. end`.
fn between(first: u64, end: u64) -> u64 {
    if first < end { (end - first) * (first + end - 1) / 2 } else { 0 }
}

fn check(formula: &Formula, seed: u64) {
    let label = permutation(seed);
    let mut number = vec![0u32; N as usize];
    label.iter().enumerate().for_each(|(x, &v)| number[v as usize] = x as u32);
    let up = |&x: &u32| (formula.parent)(x.into()).map_or(NONE, |p| label[p as usize]);
    let parents: Vec<u32> = number.iter().map(up).collect();
    let values: Vec<i64> = number.iter().map(|&x| x.into()).collect();

    let raw = leaffix::from_parents(&parents, &values, &Sum::new()).unwrap();
    for (&x, &sum) in number.iter().zip(&raw) {
        assert_eq!(sum as u64, (formula.leaffix)(x.into()), "from_parents at {x}");
    }
    drop((raw, values));

    let tree = Tree::from_parents(&parents).unwrap();
    drop(parents);
    // By position from here on.
    let numbers: Vec<u32> = tree.to_positions(&number).unwrap();
    let values: Vec<i64> = numbers.iter().map(|&x| x.into()).collect();
    let mut out = vec![0; N as usize];
    for engine in Engine::ALL {
        let params = TreefixParams { engine, scope: Scope::Inclusive };
        leaffix::leaffix_into(&tree, &values, &Sum::new(), params, &mut out).unwrap();
        for (&x, &sum) in numbers.iter().zip(&out) {
            assert_eq!(sum as u64, (formula.leaffix)(x.into()), "{engine} leaffix at {x}");
        }
        let params = TreefixParams { engine, scope: Scope::Exclusive };
        rootfix::rootfix_into(&tree, &values, &Sum::new(), params, &mut out).unwrap();
        for (&x, &sum) in numbers.iter().zip(&out) {
            let expected = (formula.rootfix)(x.into()) - u64::from(x);
            assert_eq!(sum as u64, expected, "{engine} rootfix at {x}");
        }
    }
    drop((out, values));

    let places: Vec<u32> = (0..N as u32).collect();
    for engine in [Engine::Sequential, Engine::Threads, Engine::Levels, Engine::Contract] {
        let params = TreefixParams { engine, scope: Scope::Inclusive };
        let last = leaffix::leaffix(&tree, &places, &Last, params).unwrap();
        assert!(last.iter().zip(0..).all(|(&l, i)| l + 1 == tree.end(i)), "{engine}");
        let params = TreefixParams { engine, scope: Scope::Exclusive };
        let last = rootfix::rootfix(&tree, &places, &Last, params).unwrap();
        assert!(last == tree.parents(), "{engine}: the last above a vertex is its parent");
    }
    drop(places);

    let index = Lca::by_vertex(&tree);
    let pick = |k: u64| k.wrapping_mul(0x9E37_79B9_7F4A_7C15) % N;
    let pairs: Vec<(u32, u32)> = (0..1_000_000)
        .map(|k| (label[pick(2 * k) as usize], label[pick(2 * k + 1) as usize]))
        .collect();
    for (&(u, v), answer) in pairs.iter().zip(index.batch(&pairs)) {
        let expected = (formula.lca)(number[u as usize].into(), number[v as usize].into());
        assert_eq!(number[answer as usize], expected as u32, "lca of {u} and {v}");
    }
}

#[test]
fn path() {
    let formula = Formula {
        parent: |x| x.checked_sub(1),
        leaffix: |x| between(x, N),
        rootfix: |x| between(0, x + 1),
        lca: std::cmp::min,
    };
    check(&formula, 1);
}

#[test]
fn star() {
    let formula = Formula {
        parent: |x| (x > 0).then_some(0),
        leaffix: |x| if x == 0 { between(0, N) } else { x },
        rootfix: |x| x,
        lca: |x, y| if x == y { x } else { 0 },
    };
    check(&formula, 2);
}

/// Spine 0, 2, 4, …; vertex 2k carries the leaf 2k + 1.
#[test]
fn caterpillar() {
    let formula = Formula {
        parent: |x| if x % 2 == 1 { Some(x - 1) } else { x.checked_sub(2) },
        leaffix: |x| if x % 2 == 1 { x } else { between(x, N) },
        rootfix: |x| {
            // The even numbers to 2k add up to k (k + 1).
            let k = x / 2;
            k * (k + 1) + if x % 2 == 1 { x } else { 0 }
        },
        lca: |x, y| if x == y { x } else { x.min(y) / 2 * 2 },
    };
    check(&formula, 3);
}
