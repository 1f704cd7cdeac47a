//! The same bits on any number of threads.

use crate::engines::checker::{DIRECTIONS, Direction, SCOPES};
use crate::engines::erased::{Packed, from_parents};
use crate::engines::family::Family;
use crate::engines::medium::BLOCK;
use crate::engines::run::{forest, pass};
use crate::engines::{float, random::Random, trees};
use palmette_core::Tree;
use palmette_core::generate::shuffle;
use palmette_core::operator::{Affine, Operator, Sum};
use palmette_tree::{Engine, TreefixParams};

const COUNTS: [usize; 4] = [1, 2, 3, 7];

fn on_threads<T: Send>(count: usize, work: impl FnOnce() -> T + Send) -> T {
    rayon::ThreadPoolBuilder::new().num_threads(count).build().unwrap().install(work)
}

/// Every pass of one engine, in bits.
fn bits<O: Operator<Elem: Packed>>(
    tree: &Tree,
    values: &[O::Elem],
    op: &O,
    engine: Engine,
    bits_of: impl Fn(O::Elem) -> Vec<u64>,
) -> Vec<u64> {
    let mut all = Vec::new();
    for (direction, scope) in DIRECTIONS.into_iter().flat_map(|d| SCOPES.map(|s| (d, s))) {
        let mut out = vec![op.identity(); tree.len()];
        let params = TreefixParams { scope, engine };
        pass(tree, None, values, op, direction, params, &mut out).unwrap();
        all.extend(out.into_iter().flat_map(&bits_of));
    }
    all
}

fn values<F: Family>(family: &F, n: usize) -> Vec<F::Value> {
    let mut random = Random(17);
    (0..n as u32).map(|v| family.value(&mut random, v)).collect()
}

/// `auto` has a test of its own: it needs trees large enough for several threads.
#[test]
fn floats_do_not_depend_on_the_number_of_threads() {
    let mut inputs = trees::shapes(70_000, 8);
    inputs.extend((0..3).map(|s| (format!("walk {s}"), trees::walk(70_000, BLOCK, s))));
    for (k, (name, parents)) in inputs.iter().enumerate() {
        let shuffled = if k % 2 == 0 { parents.clone() } else { shuffle(parents, 2) };
        let tree = forest(&shuffled);
        let sums = values(&float::sum_f64(), tree.len());
        // Maps near the identity, so that long products stay away from 0 and infinity.
        let maps: Vec<[f64; 2]> = sums.iter().map(|x| [1.0 + x * 1e-18, x % 1.0]).collect();
        for engine in [Engine::Threads, Engine::Levels, Engine::Euler, Engine::Contract] {
            // The others have simpler reasons to be deterministic, and take longer.
            let counts = if engine == Engine::Threads { &COUNTS[1..] } else { &[3] };
            let run = |count| {
                on_threads(count, || {
                    let sum = Sum::new();
                    let mut all = bits(&tree, &sums, &sum, engine, |x: f64| vec![x.to_bits()]);
                    if engine == Engine::Threads {
                        let bits_of = |x: [f64; 2]| x.map(f64::to_bits).to_vec();
                        all.extend(bits(&tree, &maps, &Affine, engine, bits_of));
                    }
                    all
                })
            };
            let one = run(COUNTS[0]);
            for count in counts {
                assert!(one == run(*count), "{name}: {engine} on {count} threads");
            }
        }
    }
}

/// From a bare parent array, too; long chains are walked by all threads.
#[test]
fn bare_parents_do_not_depend_on_the_number_of_threads() {
    for (name, parents) in trees::shapes(150_000, 8) {
        let parents = shuffle(&parents, 4);
        let values = values(&float::sum_f64(), parents.len());
        let run = |count| {
            on_threads(count, || {
                let sums = from_parents(&parents, &values, &Sum::new()).unwrap();
                sums.into_iter().map(f64::to_bits).collect::<Vec<u64>>()
            })
        };
        let one = run(COUNTS[0]);
        for count in &COUNTS[1..] {
            assert!(one == run(*count), "{name} on {count} threads");
        }
    }
}

/// For floats `auto` chooses by size alone.
#[test]
fn auto_does_not_depend_on_the_number_of_threads() {
    for (name, parents) in trees::shapes(Engine::PARALLEL_FROM + 5, 8) {
        let tree = forest(&parents);
        let sums = values(&float::sum_f64(), tree.len());
        let run = |count| {
            let bits_of = |x: f64| vec![x.to_bits()];
            on_threads(count, || bits(&tree, &sums, &Sum::new(), Engine::Auto, bits_of))
        };
        assert!(run(1) == run(3), "{name}");
    }
}

/// The test above would see a difference: another association gives other bits.
#[test]
fn another_association_shows() {
    let tree = forest(&trees::shapes(150_000, 8)[0].1);
    let values = values(&float::sum_f64(), tree.len());
    let params = |engine| TreefixParams { engine, ..Default::default() };
    let answer = |engine| {
        let mut out = vec![0.0; tree.len()];
        let (sum, direction) = (Sum::new(), Direction::Leaffix);
        pass(&tree, None, &values, &sum, direction, params(engine), &mut out).unwrap();
        out
    };
    assert!(answer(Engine::Sequential) != answer(Engine::Contract));
}
